import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { WithdrawalStatus } from '#contract/withdrawals.ts';
import type { Tx } from '#server/db/tx.ts';
import { newId } from '#server/lib/ids.ts';
import { openAccount, placeHold, releaseHold } from '#server/modules/ledger/index.ts';
import { readDocsTable } from '#test/docs-table.ts';
import { forge, insertWallet, openTamperedCompany } from '#test/tampered-company.ts';
import type { TamperedCompany } from '#test/tampered-company.ts';

let company: TamperedCompany;
beforeAll(async () => {
  company = await openTamperedCompany();
});
afterAll(() => company.close());

const FORBIDDEN = { code: '42501' };
const foreign = (constraint: string) => ({ code: '23503', constraint });
const check = (constraint: string) => ({ code: '23514', constraint });

interface Case {
  what: string;
  does: (tx: Tx) => Promise<unknown>;
  refused: object;
}

const cases: Case[] = [
  {
    what: 'raise a withdrawal',
    does: (tx) => sql`UPDATE withdrawal SET amount_minor = amount_minor * 20`.execute(tx),
    refused: FORBIDDEN,
  },
  {
    what: 'delete a withdrawal',
    does: (tx) => sql`DELETE FROM withdrawal`.execute(tx),
    refused: FORBIDDEN,
  },
  {
    what: 'complete a withdrawal without paying it out',
    does: (tx) => close(tx, 'processing', 'completed'),
    refused: check('withdrawal_money'),
  },
  {
    what: 'complete a withdrawal by another’s payout',
    does: (tx) => close(tx, 'processing', 'completed', company.withdrawals.completed),
    refused: check('withdrawal_money'),
  },
  {
    what: 'cancel a withdrawal and keep its money held',
    does: (tx) => close(tx, 'pending', 'cancelled'),
    refused: check('withdrawal_money'),
  },
  {
    what: 'return a withdrawal without giving its money back',
    does: (tx) => close(tx, 'completed', 'returned'),
    refused: check('withdrawal_money'),
  },
  {
    what: 'approve a withdrawal whose money is not held',
    does: async (tx) => {
      await releaseHold(tx, await holdOf(tx, company.withdrawals.pending));
      await approve(tx, company.ids.admin);
    },
    refused: check('withdrawal_money'),
  },
  {
    what: 'approve a withdrawal in its owner’s name',
    does: (tx) => approve(tx, company.ids.maya),
    refused: check('withdrawal_actor'),
  },
  {
    what: 'cancel a withdrawal in an admin’s name',
    does: async (tx) => {
      await releaseHold(tx, await holdOf(tx, company.withdrawals.pending));
      await close(tx, 'pending', 'cancelled');
    },
    refused: check('withdrawal_actor'),
  },
  {
    what: 'ask for more than is held',
    does: (tx) => ask(tx, { amountMinor: 2_000n }),
    refused: check('withdrawal_money'),
  },
  {
    what: 'ask for what is held on another’s account',
    does: (tx) => ask(tx, { heldOn: company.ids.mayaAccount }),
    refused: check('withdrawal_money'),
  },
  {
    what: 'ask for it in another currency',
    does: (tx) => ask(tx, { currency: 'EUR' }),
    refused: check('withdrawal_money'),
  },
  {
    what: 'ask for money of another’s wallet',
    does: (tx) => ask(tx, { walletId: company.maya.wallet.id, heldOn: company.ids.mayaAccount }),
    refused: foreign('withdrawal_wallet_fkey'),
  },
  {
    what: 'ask for money at another’s bank account',
    does: (tx) => ask(tx, { bankAccountId: company.maya.bank.id }),
    refused: foreign('withdrawal_bank_account_fkey'),
  },
  {
    what: 'ask for a withdrawal that is over',
    does: (tx) => ask(tx, { status: 'completed' }),
    refused: check('withdrawal_status_change'),
  },
  {
    what: 'approve a deposit without posting it',
    does: (tx) => approveDeposit(tx, { transactionId: null }),
    refused: check('deposit_money'),
  },
  {
    what: 'approve a deposit by a posting of another amount',
    does: async (tx) => approveDeposit(tx, { transactionId: await postDeposit(tx, 42_001n) }),
    refused: check('deposit_money'),
  },
  {
    what: 'approve a deposit in its owner’s name',
    does: async (tx) => {
      const transactionId = await postDeposit(tx, 42_000n);
      await approveDeposit(tx, { transactionId, by: company.ids.maya });
    },
    refused: check('deposit_actor'),
  },
  {
    what: 'decide on a deposit twice',
    does: (tx) =>
      sql`UPDATE deposit SET status = 'rejected', ledger_transaction_id = NULL,
                               rejection_reason = ''
             WHERE id = ${company.deposits.approved}`.execute(tx),
    refused: check('deposit_status_change'),
  },
  {
    what: 'ask for a deposit into another’s wallet',
    does: (tx) =>
      sql`INSERT INTO deposit (id, reference, user_id, wallet_id, method, amount_minor, fee_minor,
                                 currency, description, limit_day)
            SELECT gen_random_uuid(), 'FORGED', ${company.ids.ben}, wallet_id, method, amount_minor,
                   fee_minor, currency, '', limit_day
              FROM deposit WHERE id = ${company.deposits.pending}`.execute(tx),
    refused: foreign('deposit_wallet_fkey'),
  },
  {
    what: 'open an account that may be overdrawn',
    does: (tx) =>
      sql`SELECT ledger_account_open(${newId()}, 'irs', ${company.ids.ben}, 'USD', -100000)`.execute(
        tx,
      ),
    // No function takes a limit.
    refused: { code: '42883' },
  },
  {
    what: 'open a wallet in another currency',
    does: async (tx) => {
      const owner = { kind: 'irs', ownerId: company.ids.ben, currency: 'EUR' };
      await insertWallet(tx, {
        userId: company.ids.ben,
        type: 'irs',
        accountId: await openAccount(tx, owner),
      });
    },
    refused: { code: '40001' },
  },
  {
    what: 'show a person another’s account',
    does: async (tx) => {
      const owner = { kind: 'irs', ownerId: company.ids.ben, currency: 'USD' };
      await insertWallet(tx, {
        userId: company.ids.maya,
        type: 'irs',
        accountId: await openAccount(tx, owner),
      });
    },
    refused: foreign('wallet_account_fkey'),
  },
  {
    what: 'show a retirement account as one for taxes',
    does: async (tx) => {
      const owner = { kind: 'retirement', ownerId: company.ids.ben, currency: 'USD' };
      await insertWallet(tx, {
        userId: company.ids.ben,
        type: 'irs',
        accountId: await openAccount(tx, owner),
      });
    },
    refused: foreign('wallet_account_fkey'),
  },
  {
    what: 'pay a line into another’s wallet',
    does: (tx) => addLine(tx, company.ben.wallet.id),
    refused: foreign('payroll_line_wallet_fkey'),
  },
  {
    what: 'finish a batch that has lines to pay',
    does: (tx) =>
      sql`UPDATE payroll_batch SET status = 'completed'
             WHERE id = ${company.batches.waiting}`.execute(tx),
    refused: check('payroll_batch_decided'),
  },
  {
    what: 'say that a batch paid more than its amount for each',
    does: (tx) =>
      sql`UPDATE payroll_batch SET paid_minor = paid_minor + 1
             WHERE id = ${company.batches.completed}`.execute(tx),
    refused: check('payroll_batch_paid'),
  },
  {
    what: 'verify a bank account in its owner’s name',
    does: (tx) =>
      sql`UPDATE bank_account SET status = 'verified', moved_at = now(), moved_by = user_id
             WHERE id = ${company.banks.pending}`.execute(tx),
    refused: check('bank_account_decider'),
  },
  {
    what: 'make a bank account the primary one that is not verified',
    does: (tx) =>
      sql`UPDATE bank_account SET is_primary = id = ${company.banks.pending}
             WHERE user_id = ${company.ids.maya}`.execute(tx),
    refused: check('bank_account_primary_verified'),
  },
];

test.each(cases)('the server’s role cannot $what', async ({ does, refused }) => {
  expect(await company.refusal(does)).toEqual(refused);
});

test('docs/ledger.md has every case', () => {
  const rows = readDocsTable('### What the database refuses').map(([what]) => what);
  expect(rows).toEqual(cases.map(({ what }) => what));
});

/** Marks the withdrawal in that status as another, by an admin, with what a row of that needs. */
function close(
  tx: Tx,
  from: WithdrawalStatus,
  to: 'completed' | 'cancelled' | 'returned',
  paidLike: string | null = null,
): Promise<unknown> {
  const id = company.withdrawals[from];
  if (to !== 'completed') {
    return sql`
      UPDATE withdrawal SET status = ${to}, moved_at = now(), moved_by = ${company.ids.admin},
                            rejection_reason = ''
       WHERE id = ${id}`.execute(tx);
  }
  return sql`
    UPDATE withdrawal SET status = 'completed', moved_at = now(),
                          moved_by = ${company.ids.admin}, transaction_reference = 'FORGED',
                          ledger_transaction_id = (SELECT ledger_transaction_id FROM withdrawal
                                                    WHERE id = ${paidLike})
     WHERE id = ${id}`.execute(tx);
}

function approve(tx: Tx, by: string): Promise<unknown> {
  return sql`
    UPDATE withdrawal SET status = 'approved', moved_at = now(), moved_by = ${by}
     WHERE id = ${company.withdrawals.pending}`.execute(tx);
}

async function holdOf(tx: Tx, id: string): Promise<string> {
  const row = tx.selectFrom('withdrawal').select('holdId').where('id', '=', id);
  return (await row.executeTakeFirstOrThrow()).holdId;
}

/** A withdrawal of 1,000 cents in Ben's name, with 1,000 held for it; but for what is given. */
async function ask(
  tx: Tx,
  given: {
    amountMinor?: bigint;
    currency?: string;
    walletId?: string;
    bankAccountId?: string;
    heldOn?: string;
    status?: WithdrawalStatus;
  },
): Promise<void> {
  const holdId = await placeHold(tx, {
    accountId: given.heldOn ?? company.ids.benAccount,
    amountMinor: 1_000n,
    reference: 'WD-FORGED',
  });
  await sql`
    INSERT INTO withdrawal (id, reference, user_id, wallet_id, bank_account_id, bank_name, bank_last4,
                            amount_minor, currency, urgency, reason, hold_id, status)
    VALUES (gen_random_uuid(), 'WD-FORGED', ${company.ids.ben},
            ${given.walletId ?? company.ben.wallet.id},
            ${given.bankAccountId ?? company.ben.bank.id}, 'A bank', '0000',
            ${given.amountMinor ?? 1_000n}, ${given.currency ?? 'USD'}, 'low', '', ${holdId},
            ${given.status ?? 'pending'})`.execute(tx);
}

/** Posts money for the deposit that waits. */
async function postDeposit(tx: Tx, amountMinor: bigint): Promise<string | null> {
  const { reference } = await tx
    .selectFrom('deposit')
    .select('reference')
    .where('id', '=', company.deposits.pending)
    .executeTakeFirstOrThrow();
  const posted = await forge(tx, {
    kind: 'deposit',
    code: 'deposit_clearing:mobile_check',
    accountId: company.ids.mayaAccount,
    amountMinor,
    subjectId: company.deposits.pending,
    reference,
  });
  return posted?.id ?? null;
}

function approveDeposit(
  tx: Tx,
  { transactionId, by = company.ids.admin }: { transactionId: string | null; by?: string },
): Promise<unknown> {
  return sql`
    UPDATE deposit SET status = 'approved', ledger_transaction_id = ${transactionId},
                       moved_by = ${by}, moved_at = now()
     WHERE id = ${company.deposits.pending}`.execute(tx);
}

/** A further line for an admin in the batch that was not begun; but for what is given. */
function addLine(tx: Tx, walletId: string): Promise<unknown> {
  return sql`
    INSERT INTO payroll_line (batch_id, line_number, user_id, wallet_id, amount_minor, status)
    SELECT ${company.batches.waiting}, 1000, user_id, ${walletId}, 9900, 'draft'
      FROM wallet WHERE user_id = ${company.newcomerId}`.execute(tx);
}
