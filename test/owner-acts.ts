import { sql } from 'kysely';
import type { Tx } from '#server/db/tx.ts';
import { openAccount } from '#server/modules/ledger/index.ts';
import { forge, insertWallet } from './tampered-company.ts';
import type { TamperedCompany } from './tampered-company.ts';

export interface OwnerAct {
  /** Description of the act. */
  what: string;
  does: (tx: Tx, company: TamperedCompany) => Promise<unknown>;
  /** Exactly the checks that find it. */
  found: readonly string[];
}

/** Acts of an owner of the database, with everything taken away that refuses them. */
export const OWNER_ACTS: readonly OwnerAct[] = [
  {
    what: 'lets a person fall below zero and pays them a million',
    does: async (tx, company) => {
      await sql`UPDATE ledger_account SET min_available = NULL WHERE id = ${company.ids.benAccount}`.execute(
        tx,
      );
      await forge(tx, {
        kind: 'withdrawal',
        code: 'payout_clearing',
        accountId: company.ids.benAccount,
        amountMinor: -100_000_000n,
      });
    },
    found: ['wallet-limit', 'withdrawal-posting'],
  },
  {
    what: 'raises an approved withdrawal twentyfold',
    does: (tx, company) =>
      sql`UPDATE withdrawal SET amount_minor = amount_minor * 20
           WHERE id = ${company.withdrawals.approved}`.execute(tx),
    found: ['withdrawal-hold', 'withdrawal-record'],
  },
  {
    what: 'raises it and what is held for it',
    does: (tx, company) =>
      sql`WITH raised AS (UPDATE withdrawal SET amount_minor = amount_minor * 2
                           WHERE id = ${company.withdrawals.approved} RETURNING hold_id)
          UPDATE ledger_hold SET amount = amount * 2 FROM raised WHERE id = hold_id`.execute(tx),
    found: ['withdrawal-record'],
  },
  {
    what: 'raises a payout, its posting and what was held for it',
    does: (tx, company) =>
      sql`WITH paid AS (UPDATE withdrawal SET amount_minor = amount_minor * 20
                         WHERE id = ${company.withdrawals.completed}
                     RETURNING hold_id, ledger_transaction_id),
               held AS (UPDATE ledger_hold SET amount = amount * 20 FROM paid WHERE id = hold_id)
          UPDATE ledger_entry SET amount = amount * 20 FROM paid
           WHERE transaction_id = ledger_transaction_id`.execute(tx),
    found: ['withdrawal-record'],
  },
  {
    what: 'swaps the accounts of two wallets, so that one person sees another’s money',
    does: (tx, company) =>
      sql`UPDATE wallet SET ledger_account_id =
                 CASE ledger_account_id WHEN ${company.ids.mayaAccount} THEN ${company.ids.benAccount}::uuid ELSE ${company.ids.mayaAccount}::uuid END
           WHERE ledger_account_id IN (${company.ids.mayaAccount}, ${company.ids.benAccount})`.execute(
        tx,
      ),
    found: [
      'bill-hold',
      'bill-posting',
      'deposit-posting',
      'move-posting',
      'payment-posting',
      'payroll-posting',
      'payroll-reversal',
      'recovery-posting',
      'wallet-account',
      'wallet-record',
      'withdrawal-hold',
      'withdrawal-posting',
    ],
  },
  {
    what: 'swaps the owners of two wallets',
    does: (tx, company) =>
      sql`UPDATE wallet SET user_id =
                 CASE user_id WHEN ${company.ids.maya} THEN ${company.ids.ben}::uuid ELSE ${company.ids.maya}::uuid END
           WHERE ledger_account_id IN (${company.ids.mayaAccount}, ${company.ids.benAccount})`.execute(
        tx,
      ),
    found: [
      'bill-wallet',
      'deposit-wallet',
      'move-wallet',
      'payment-wallet',
      'payroll-line',
      'wallet-account',
      'wallet-record',
      'withdrawal-wallet',
    ],
  },
  {
    what: 'swaps them and the owners of their accounts',
    does: async (tx, company) => {
      for (const [table, column] of [
        ['wallet', 'user_id'],
        ['ledger_account', 'owner_id'],
      ] as const) {
        const name = sql.ref(column);
        const key = sql.ref(table === 'wallet' ? 'ledger_account_id' : 'id');
        await sql`
          UPDATE ${sql.table(table)} SET ${name} =
                 CASE ${name} WHEN ${company.ids.maya} THEN ${company.ids.ben}::uuid ELSE ${company.ids.maya}::uuid END
           WHERE ${key} IN (${company.ids.mayaAccount}, ${company.ids.benAccount})`.execute(tx);
      }
    },
    found: [
      'bill-wallet',
      'deposit-wallet',
      'move-wallet',
      'payment-wallet',
      'payroll-line',
      'wallet-record',
      'withdrawal-wallet',
    ],
  },
  {
    what: 'opens a wallet in another currency',
    does: async (tx, company) =>
      insertWallet(tx, {
        userId: company.ids.ben,
        type: 'irs',
        accountId: await openAccount(tx, {
          kind: 'irs',
          ownerId: company.ids.ben,
          currency: 'EUR',
        }),
      }),
    found: ['wallet-account'],
  },
  {
    what: 'sends a payout to another’s bank account',
    does: (tx, company) =>
      sql`UPDATE withdrawal SET bank_account_id = ${company.ben.bank.id}
           WHERE id = ${company.withdrawals.processing}`.execute(tx),
    found: ['bank-account-use', 'withdrawal-destination', 'withdrawal-record'],
  },
  {
    what: 'sends a payout to another bank account of the same person',
    does: (tx, company) =>
      sql`UPDATE withdrawal SET (bank_account_id, bank_name, bank_last4) =
                 (SELECT id, bank_name, last4 FROM bank_account WHERE id = ${company.banks.edited})
           WHERE id = ${company.withdrawals.processing}`.execute(tx),
    found: ['bank-account-use', 'withdrawal-destination', 'withdrawal-record'],
  },
  {
    what: 'gives a rejected withdrawal its hold back',
    does: (tx, company) =>
      sql`UPDATE ledger_hold SET state = 'held', settled_at = NULL
            FROM withdrawal WHERE withdrawal.id = ${company.withdrawals.rejected}
             AND ledger_hold.id = hold_id`.execute(tx),
    found: ['withdrawal-hold'],
  },
  {
    what: 'hides that a payout was returned',
    does: (tx, company) =>
      sql`UPDATE withdrawal SET status = 'completed'
           WHERE id = ${company.withdrawals.returned}`.execute(tx),
    found: ['withdrawal-history', 'withdrawal-return'],
  },
  {
    what: 'returns a payout without reversing it',
    does: (tx, company) =>
      sql`UPDATE withdrawal SET status = 'returned', moved_at = now(),
                                moved_by = ${company.ids.admin}
           WHERE id = ${company.withdrawals.completed}`.execute(tx),
    found: ['withdrawal-history', 'withdrawal-return'],
  },
  {
    what: 'lets a person approve their own withdrawal',
    does: (tx, company) =>
      sql`WITH own AS (UPDATE withdrawal SET moved_by = user_id
                        WHERE id = ${company.withdrawals.approved})
          UPDATE audit_event SET actor_id = ${company.ids.maya}
           WHERE subject_id = ${company.withdrawals.approved}
             AND action = 'withdrawal.approved'`.execute(tx),
    found: ['withdrawal-history'],
  },
  {
    what: 'deletes an open withdrawal',
    does: (tx, company) =>
      sql`DELETE FROM withdrawal WHERE id = ${company.withdrawals.pending}`.execute(tx),
    found: ['bank-account-use', 'withdrawal-history', 'withdrawal-hold'],
  },
  {
    what: 'deletes a payout, its posting and its hold',
    does: (tx, company) =>
      sql`WITH gone AS (DELETE FROM withdrawal WHERE id = ${company.withdrawals.completed}
                     RETURNING hold_id, ledger_transaction_id),
               hold AS (DELETE FROM ledger_hold USING gone WHERE id = hold_id),
               entry AS (DELETE FROM ledger_entry USING gone
                          WHERE transaction_id = ledger_transaction_id)
          DELETE FROM ledger_transaction USING gone WHERE id = ledger_transaction_id`.execute(tx),
    found: ['withdrawal-history'],
  },
  {
    what: 'deletes a hold',
    does: (tx, company) =>
      sql`DELETE FROM ledger_hold USING withdrawal
           WHERE withdrawal.id = ${company.withdrawals.pending} AND ledger_hold.id = hold_id`.execute(
        tx,
      ),
    found: ['withdrawal-hold'],
  },
  {
    what: 'raises a deposit that waits',
    does: (tx, company) =>
      sql`UPDATE deposit SET amount_minor = amount_minor + 1
           WHERE id = ${company.deposits.pending}`.execute(tx),
    found: ['deposit-record'],
  },
  {
    what: 'turns a deposit to another person',
    does: (tx, company) =>
      sql`UPDATE deposit SET user_id = ${company.ids.ben}, wallet_id = ${company.ben.wallet.id}
           WHERE id = ${company.deposits.pending}`.execute(tx),
    found: ['deposit-history', 'deposit-record'],
  },
  {
    what: 'deletes a deposit that waits',
    does: (tx, company) =>
      sql`DELETE FROM deposit WHERE id = ${company.deposits.pending}`.execute(tx),
    found: ['deposit-history'],
  },
  {
    what: 'deletes a deposit that was posted',
    does: (tx, company) =>
      sql`DELETE FROM deposit WHERE id = ${company.deposits.approved}`.execute(tx),
    found: ['deposit-history', 'deposit-posting'],
  },
  {
    what: 'lets a rejected deposit count as approved',
    does: (tx, company) =>
      sql`UPDATE deposit SET status = 'approved' WHERE id = ${company.deposits.rejected}`.execute(
        tx,
      ),
    found: ['deposit-history', 'deposit-posting'],
  },
  {
    what: 'moves a posting to another deposit',
    does: (tx, company) =>
      sql`UPDATE ledger_transaction SET subject_id = ${company.deposits.pending}
           WHERE subject_id = ${company.deposits.approved}`.execute(tx),
    found: ['deposit-posting'],
  },
  {
    what: 'deletes a bank account that was never paid to',
    does: (tx, company) =>
      sql`DELETE FROM bank_account WHERE id = ${company.banks.rejected}`.execute(tx),
    found: ['bank-account-history'],
  },
  {
    what: 'raises what a batch pays, with all its lines',
    does: (tx, company) =>
      sql`WITH batch AS (UPDATE payroll_batch SET amount_minor = amount_minor * 2,
                                                  total_minor = total_minor * 2
                          WHERE id = ${company.batches.waiting})
          UPDATE payroll_line SET amount_minor = amount_minor * 2
           WHERE batch_id = ${company.batches.waiting}`.execute(tx),
    found: ['payroll-record'],
  },
  {
    what: 'gives a line another breakdown for its payslip',
    does: (tx, company) =>
      sql`UPDATE payroll_line SET breakdown = jsonb_build_array(
                   jsonb_build_array('Gross', (amount_minor + 100)::text), '["Tax", "100"]'::jsonb)
           WHERE batch_id = ${company.batches.completed} AND line_number = 1`.execute(tx),
    found: ['payroll-record'],
  },
  {
    what: 'says that another person was paid',
    does: (tx, company) =>
      sql`UPDATE payroll_line SET user_id = wallet.user_id, wallet_id = wallet.id FROM wallet
           WHERE batch_id = ${company.batches.completed} AND line_number = 1
             AND wallet.user_id = ${company.newcomerId}`.execute(tx),
    found: ['payroll-posting', 'payroll-record'],
  },
  {
    what: 'deletes a line',
    does: (tx, company) =>
      sql`DELETE FROM payroll_line
           WHERE batch_id = ${company.batches.completed} AND line_number = 1`.execute(tx),
    found: ['payroll-batch', 'payroll-posting', 'payroll-record'],
  },
  {
    what: 'deletes a batch that was not begun',
    does: (tx, company) =>
      sql`WITH line AS (DELETE FROM payroll_line WHERE batch_id = ${company.batches.waiting})
          DELETE FROM payroll_batch WHERE id = ${company.batches.waiting}`.execute(tx),
    found: ['payroll-history'],
  },
  {
    what: 'lets another admin have sent a batch',
    does: (tx, company) =>
      sql`UPDATE payroll_batch SET created_by = ${company.otherAdmin.actor.id}
           WHERE id = ${company.batches.completed}`.execute(tx),
    found: ['payroll-posting', 'payroll-record'],
  },
  {
    what: 'says that a bonus was a payroll',
    does: (tx, company) =>
      sql`UPDATE payroll_batch SET funding_type = NULL
           WHERE id = ${company.batches.funding}`.execute(tx),
    found: ['payroll-posting', 'payroll-record'],
  },
  {
    what: 'hides that a line was taken back',
    does: (tx) =>
      sql`WITH line AS (UPDATE payroll_line SET status = 'processed', reversed_minor = 0
                         WHERE status = 'reversed' RETURNING batch_id)
          UPDATE payroll_batch SET reversed_count = 0, reversed_minor = 0 FROM line
           WHERE id = batch_id`.execute(tx),
    found: ['payroll-reversal'],
  },
  {
    what: 'deletes the reversal of a line',
    does: (tx, company) =>
      sql`DELETE FROM payroll_reversal WHERE id = ${company.reversals.part}`.execute(tx),
    found: ['payroll-reversal', 'payroll-reversal-record', 'withdrawal-return'],
  },
  {
    what: 'deletes the record of a reversal',
    does: (tx, company) =>
      sql`DELETE FROM audit_event WHERE details ->> 'reversalId' = ${company.reversals.whole}`.execute(
        tx,
      ),
    found: ['payroll-reversal-record'],
  },
  {
    what: 'says that more of a payment was recovered',
    does: (tx, company) =>
      sql`UPDATE recovery SET recovered_minor = recovered_minor + 100
           WHERE id = ${company.recoveries.accepted}`.execute(tx),
    found: ['recovery-sum'],
  },
  {
    what: 'deletes an instalment of a recovery',
    does: (tx, company) =>
      sql`WITH gone AS (DELETE FROM recovery_instalment
                         WHERE recovery_id = ${company.recoveries.accepted})
          UPDATE recovery SET recovered_minor = 0 WHERE id = ${company.recoveries.accepted}`.execute(
        tx,
      ),
    found: ['recovery-instalment-record', 'recovery-posting'],
  },
  {
    what: 'raises the instalment that a person accepted',
    does: (tx, company) =>
      sql`UPDATE recovery SET instalment_minor = instalment_minor - 1
           WHERE id = ${company.recoveries.accepted}`.execute(tx),
    found: ['recovery-record'],
  },
  {
    what: 'deletes the record of a request',
    does: (tx, company) =>
      sql`DELETE FROM audit_event WHERE subject_id = ${company.withdrawals.rejected}
             AND action = 'withdrawal.requested'`.execute(tx),
    found: ['withdrawal-history'],
  },
  {
    what: 'deletes the record of a batch',
    does: (tx, company) =>
      sql`DELETE FROM audit_event WHERE subject_id = ${company.batches.waiting}`.execute(tx),
    found: ['payroll-record'],
  },
  {
    what: 'deletes the records of a bank account',
    does: (tx, company) =>
      sql`DELETE FROM audit_event WHERE subject_id = ${company.banks.pending}`.execute(tx),
    found: ['bank-account-record'],
  },
  {
    what: 'deletes the record that an admin was made',
    does: (tx, company) =>
      sql`DELETE FROM audit_event WHERE action = 'invite.redeemed'
             AND actor_id = ${company.ids.admin}`.execute(tx),
    found: ['admin-role'],
  },
];
