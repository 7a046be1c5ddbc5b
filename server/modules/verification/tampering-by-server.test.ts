import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Tx } from '#server/db/tx.ts';
import { newId } from '#server/lib/ids.ts';
import { placeHold } from '#server/modules/ledger/index.ts';
import { wordsIn, readDocsTable } from '#test/docs-table.ts';
import { asServer, forge, openTamperedCompany } from '#test/tampered-company.ts';
import type { TamperedCompany } from '#test/tampered-company.ts';

let company: TamperedCompany;
beforeAll(async () => {
  company = await openTamperedCompany();
});
afterAll(() => company.close());

interface Case {
  /** Description of the act. */
  what: string;
  does: (tx: Tx) => Promise<unknown>;
  /** Exactly the checks that find it. */
  found: readonly string[];
}

/** Acts of an intruder in the server on rows, past nothing that is refused. */
const cases: Case[] = [
  {
    what: 'asks for a withdrawal in a person’s name',
    does: async (tx) => {
      const holdId = await placeHold(tx, {
        accountId: company.ids.benAccount,
        amountMinor: 100n,
        reference: 'WD-FORGED',
      });
      await sql`
          INSERT INTO withdrawal (id, reference, user_id, wallet_id, bank_account_id, bank_name,
                                bank_last4, amount_minor, currency, urgency, reason, hold_id)
          SELECT gen_random_uuid(), 'WD-FORGED', user_id, ${company.ben.wallet.id}, id, bank_name,
               last4, 100, 'USD', 'low', '', ${holdId}
          FROM bank_account WHERE id = ${company.ben.bank.id}`.execute(tx);
    },
    found: ['bank-account-use', 'withdrawal-history'],
  },
  {
    what: 'adds a line of another amount to a payroll that waits',
    does: (tx) =>
      sql`
        INSERT INTO payroll_line (batch_id, line_number, user_id, wallet_id, amount_minor, status)
        SELECT ${company.batches.waiting}, 1000, user_id, id, 990100, 'draft'
          FROM wallet WHERE user_id = ${company.newcomerId} AND type = 'salary'`.execute(tx),
    found: ['payroll-batch', 'payroll-line', 'payroll-record'],
  },
  {
    what: 'approves a withdrawal in a person’s name',
    does: (tx) =>
      sql`UPDATE withdrawal SET status = 'approved', moved_at = now(),
                                moved_by = ${company.ids.admin}
           WHERE id = ${company.withdrawals.pending}`.execute(tx),
    found: ['withdrawal-history'],
  },
  {
    what: 'asks for a deposit in a person’s name, and approves it with a posting',
    does: async (tx) => {
      const id = newId();
      const reference = 'DEP-FORGED';
      await sql`
          INSERT INTO deposit (id, reference, user_id, wallet_id, method, amount_minor, fee_minor,
                             currency, description, limit_day)
          VALUES (${id}, ${reference}, ${company.ids.ben}, ${company.ben.wallet.id}, 'ach', 90000, 0, 'USD', '',
                current_date)`.execute(tx);
      const posted = await forge(tx, {
        kind: 'deposit',
        code: 'deposit_clearing:ach',
        subjectId: id,
        reference,
        accountId: company.ids.benAccount,
        amountMinor: 90_000n,
        actorId: company.ids.admin,
      });
      await sql`
          UPDATE deposit SET status = 'approved', ledger_transaction_id = ${posted?.id},
                           moved_by = ${company.ids.admin}, moved_at = now()
           WHERE id = ${id}`.execute(tx);
    },
    found: ['deposit-history'],
  },
  {
    what: 'verifies a bank account in an admin’s name',
    does: (tx) =>
      sql`UPDATE bank_account SET status = 'verified', moved_at = now(),
                                  moved_by = ${company.ids.admin}
           WHERE id = ${company.banks.pending}`.execute(tx),
    found: ['bank-account-history'],
  },
  {
    what: 'lets a verified bank account lead to another account',
    does: (tx) =>
      sql`UPDATE bank_account
             SET (account_number_encrypted, account_number_hash, last4, routing_number) =
                 (SELECT account_number_encrypted, sha256('other'), last4, routing_number
                    FROM bank_account WHERE id = ${company.ben.bank.id})
           WHERE id = ${company.maya.bank.id}`.execute(tx),
    found: ['bank-account-record', 'withdrawal-destination'],
  },
  {
    what: 'brings a removed bank account back',
    does: (tx) =>
      sql`UPDATE bank_account SET removed_at = NULL
           WHERE id = ${company.banks.removed}`.execute(tx),
    found: ['bank-account-history'],
  },
  {
    what: 'frees a bank account that is paid to',
    does: (tx) =>
      sql`UPDATE bank_account SET use_count = 0
           WHERE id = ${company.maya.bank.id}`.execute(tx),
    found: ['bank-account-use'],
  },
  {
    what: 'marks a line as paid',
    does: (tx) =>
      sql`UPDATE payroll_line SET status = 'processed', ledger_transaction_id = gen_random_uuid()
           WHERE batch_id = ${company.batches.waiting} AND line_number = 1`.execute(tx),
    found: ['payroll-batch', 'payroll-posting'],
  },
  {
    what: 'lets a paid line be paid again',
    does: (tx) =>
      sql`UPDATE payroll_line SET status = 'draft', ledger_transaction_id = NULL
           WHERE batch_id = ${company.batches.completed} AND line_number = 1`.execute(tx),
    found: ['payroll-batch', 'payroll-posting'],
  },
  {
    what: 'says that a batch paid less than it did',
    does: (tx) =>
      sql`UPDATE payroll_batch SET paid_count = 0, paid_minor = 0, failed_count = payable_count,
                                   status = 'failed'
           WHERE id = ${company.batches.completed}`.execute(tx),
    found: ['payroll-batch', 'payroll-history'],
  },
  {
    what: 'puts a line into a batch that was sent',
    does: (tx) =>
      sql`INSERT INTO payroll_line (batch_id, line_number, user_id, wallet_id, amount_minor, status)
          SELECT batch.id, payable_count + skipped_count + 1, wallet.user_id, wallet.id,
                 amount_minor, 'draft'
            FROM payroll_batch AS batch, wallet
           WHERE batch.id = ${company.batches.waiting}
             AND wallet.user_id = ${company.newcomerId}`.execute(tx),
    found: ['payroll-batch', 'payroll-line', 'payroll-record'],
  },
  {
    what: 'marks a paid line as taken back',
    does: (tx) =>
      sql`UPDATE payroll_line SET status = 'reversed', reversed_minor = amount_minor
           WHERE batch_id = ${company.batches.completed} AND line_number = 1`.execute(tx),
    found: ['payroll-batch', 'payroll-reversal'],
  },
  {
    what: 'accepts a recovery in a person’s name',
    does: (tx) =>
      sql`UPDATE recovery SET status = 'accepted', moved_by = user_id, moved_at = now()
           WHERE id = ${company.recoveries.proposed}`.execute(tx),
    found: ['recovery-history'],
  },
  {
    what: 'makes a person an admin',
    does: (tx) => sql`UPDATE app_user SET role = 'admin' WHERE id = ${company.ids.ben}`.execute(tx),
    found: ['admin-role'],
  },
  {
    what: 'accepts a person who signed up, so that payroll pays them',
    does: (tx) =>
      sql`INSERT INTO app_user (email, name, first_name, last_name, accepted_at)
          VALUES ('ghost@purser.test', 'Gia Ghost', 'Gia', 'Ghost', now())`.execute(tx),
    found: ['person-acceptance'],
  },
  {
    what: 'lets a deactivated person in, or shuts one out',
    does: (tx) =>
      sql`UPDATE app_user SET deactivated_at = now() WHERE id = ${company.ids.ben}`.execute(tx),
    found: ['person-standing'],
  },
  {
    what: 'freezes the payouts of a person',
    does: (tx) =>
      sql`UPDATE app_user SET payouts_frozen_at = now() WHERE id = ${company.ids.ben}`.execute(tx),
    found: ['payouts-frozen'],
  },
  {
    what: 'hides a wallet from its owner',
    does: (tx) =>
      sql`UPDATE wallet SET closed_at = now() WHERE id = ${company.maya.wallet.id}`.execute(tx),
    found: ['wallet-closing'],
  },
  {
    what: 'opens a closed wallet again',
    does: (tx) => sql`UPDATE wallet SET closed_at = NULL WHERE closed_at IS NOT NULL`.execute(tx),
    found: ['wallet-closing'],
  },
  {
    what: 'approves a payroll in an admin’s name',
    does: (tx) =>
      sql`UPDATE payroll_batch SET approved_by = ${company.otherAdmin.actor.id}, approved_at = now()
           WHERE id = ${company.batches.waiting}`.execute(tx),
    found: ['payroll-history'],
  },
  {
    what: 'takes the rights of an admin away',
    does: (tx) =>
      sql`UPDATE app_user SET role = 'employee' WHERE id = ${company.otherAdmin.actor.id}`.execute(
        tx,
      ),
    found: ['admin-role'],
  },
  {
    what: 'records an approval that did not happen',
    does: (tx) =>
      sql`INSERT INTO audit_event (actor_id, actor_role, action, subject_type, subject_id)
          VALUES (${company.ids.admin}, 'admin', 'withdrawal.approved', 'withdrawal',
                  ${company.withdrawals.pending})`.execute(tx),
    found: ['withdrawal-history'],
  },
];

test.each(cases)('the server’s role is found that $what', async ({ does, found }) => {
  expect(await company.finds((tx) => asServer(tx, () => does(tx)))).toEqual(found);
});

test('docs/ledger.md has every case, with the checks that notice it', () => {
  const rows = readDocsTable('### By the server’s role: rows').map(([what, noticed]) => ({
    what,
    found: wordsIn(noticed),
  }));
  expect(rows).toEqual(cases.map(({ what, found }) => ({ what, found: [...found] })));
});
