import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Tx } from '#server/db/tx.ts';
import { newId } from '#server/lib/ids.ts';
import {
  ensureSystemAccount,
  openAccount,
  placeHold,
  post,
  releaseHold,
  reverse,
} from '#server/modules/ledger/index.ts';
import { asServer, forge, openTamperedCompany } from '#test/tampered-company.ts';
import type { TamperedCompany } from '#test/tampered-company.ts';

let company: TamperedCompany;
beforeAll(async () => {
  company = await openTamperedCompany();
});
afterAll(() => company.close());

interface Case {
  /** What somebody does. */
  what: string;
  does: (tx: Tx) => Promise<unknown>;
  /** Exactly the checks that find it. */
  found: readonly string[];
}

/** What an intruder in the server can do by the server's role, past nothing that is refused. */
const cases: Case[] = [
  {
    what: 'posts a deposit of 50,000 that nobody made',
    does: (tx) =>
      forge(tx, {
        kind: 'deposit',
        code: 'deposit_clearing:wire',
        accountId: company.ids.benAccount,
        amountMinor: 5_000_000n,
      }),
    found: ['deposit posting'],
  },
  {
    what: 'posts a deposit that is there a second time',
    does: (tx) =>
      forge(tx, {
        kind: 'deposit',
        code: 'deposit_clearing:card',
        accountId: company.ids.mayaAccount,
        amountMinor: 33_333n,
        subjectId: company.deposits.approved,
      }),
    found: ['deposit posting'],
  },
  {
    what: 'posts a deposit that was rejected',
    does: (tx) =>
      forge(tx, {
        kind: 'deposit',
        code: 'deposit_clearing:ach',
        accountId: company.ids.mayaAccount,
        amountMinor: 30_000n,
        subjectId: company.deposits.rejected,
      }),
    found: ['deposit posting'],
  },
  {
    what: 'posts a salary without a payroll',
    does: (tx) =>
      forge(tx, {
        kind: 'payroll',
        code: 'payroll_funding',
        accountId: company.ids.benAccount,
        amountMinor: 900_000n,
      }),
    found: ['payroll posting'],
  },
  {
    what: 'posts a kind of its own',
    does: (tx) =>
      forge(tx, {
        kind: 'bonus',
        code: 'payroll_funding',
        accountId: company.ids.benAccount,
        amountMinor: 1n,
      }),
    found: ['kind of transaction'],
  },
  {
    what: 'posts from an account of its own',
    does: (tx) =>
      forge(tx, {
        kind: 'payroll',
        code: 'slush_fund',
        accountId: company.ids.benAccount,
        amountMinor: 1n,
      }),
    found: ['payroll posting', 'sides of a posting', 'system account'],
  },
  {
    what: 'opens an account that stands for nothing',
    does: (tx) => ensureSystemAccount(tx, 'slush_fund', 'USD'),
    found: ['system account'],
  },
  {
    what: 'moves money from one person to another',
    does: (tx) =>
      post(tx, [
        {
          kind: 'withdrawal',
          reference: 'FORGED',
          description: '',
          subjectId: null,
          actorId: null,
          entries: [
            { accountId: company.ids.mayaAccount, amountMinor: -1_000n },
            { accountId: company.ids.benAccount, amountMinor: 1_000n },
          ],
        },
      ]),
    found: ['sides of a posting', 'withdrawal posting'],
  },
  {
    what: 'pays a withdrawal out twice',
    does: (tx) =>
      forge(tx, {
        kind: 'withdrawal',
        code: 'payout_clearing',
        accountId: company.ids.mayaAccount,
        amountMinor: -40_000n,
        subjectId: company.withdrawals.completed,
      }),
    found: ['withdrawal posting'],
  },
  {
    what: 'pays out a withdrawal that was not approved',
    does: (tx) =>
      forge(tx, {
        kind: 'withdrawal',
        code: 'payout_clearing',
        accountId: company.ids.mayaAccount,
        amountMinor: -40_000n,
        subjectId: company.withdrawals.pending,
      }),
    found: ['withdrawal posting'],
  },
  {
    what: 'takes a salary back',
    does: async (tx) =>
      reverse(tx, {
        transactionId: await postingOf(tx, 'payroll'),
        reference: 'FORGED',
        description: '',
        actorId: null,
      }),
    found: ['withdrawal return'],
  },
  {
    what: 'gives a completed withdrawal back',
    does: async (tx) =>
      reverse(tx, {
        transactionId: await postingOf(tx, 'withdrawal'),
        reference: 'FORGED',
        description: '',
        actorId: company.ids.admin,
      }),
    found: ['withdrawal return'],
  },
  {
    what: 'holds money that nobody asked for',
    does: (tx) =>
      placeHold(tx, { accountId: company.ids.benAccount, amountMinor: 1n, reference: 'FORGED' }),
    found: ['withdrawal hold'],
  },
  {
    what: 'releases the hold of an open withdrawal',
    does: async (tx) => releaseHold(tx, await holdOf(tx, company.withdrawals.approved)),
    found: ['withdrawal hold'],
  },
  {
    what: 'opens an account for somebody without a wallet',
    does: (tx) => openAccount(tx, { kind: 'irs', ownerId: company.ids.ben, currency: 'USD' }),
    found: ['wallet account'],
  },
  {
    what: 'opens a wallet in another currency',
    does: async (tx) =>
      insertWallet(
        tx,
        await openAccount(tx, { kind: 'irs', ownerId: company.ids.ben, currency: 'EUR' }),
      ),
    found: ['wallet account'],
  },
  {
    what: 'opens a wallet that may be overdrawn',
    does: async (tx) =>
      insertWallet(
        tx,
        await openAccount(tx, {
          kind: 'irs',
          ownerId: company.ids.ben,
          currency: 'USD',
          minAvailableMinor: -100_000n,
        }),
      ),
    found: ['wallet limit'],
  },
  {
    what: 'asks for a withdrawal in somebody’s name',
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
    found: ['bank account use', 'withdrawal history'],
  },
  {
    what: 'approves a withdrawal in somebody’s name',
    does: (tx) =>
      sql`UPDATE withdrawal SET status = 'approved', approved_at = now(),
                                approved_by = ${company.ids.admin}
           WHERE id = ${company.withdrawals.pending}`.execute(tx),
    found: ['withdrawal history'],
  },
  {
    what: 'asks for a deposit in somebody’s name, and approves it with a posting',
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
                           processed_by = ${company.ids.admin}, decided_at = now()
           WHERE id = ${id}`.execute(tx);
    },
    found: ['deposit history'],
  },
  {
    what: 'verifies a bank account in an admin’s name',
    does: (tx) =>
      sql`UPDATE bank_account SET status = 'verified', decided_at = now(),
                                  decided_by = ${company.ids.admin}
           WHERE id = ${company.banks.pending}`.execute(tx),
    found: ['bank account history'],
  },
  {
    what: 'lets a verified bank account lead to another account',
    does: (tx) =>
      sql`UPDATE bank_account
             SET (account_number_encrypted, account_number_hash, last4, routing_number) =
                 (SELECT account_number_encrypted, sha256('other'), last4, routing_number
                    FROM bank_account WHERE id = ${company.ben.bank.id})
           WHERE id = ${company.maya.bank.id}`.execute(tx),
    found: ['bank account record', 'withdrawal destination'],
  },
  {
    what: 'brings a removed bank account back',
    does: (tx) =>
      sql`UPDATE bank_account SET removed_at = NULL
           WHERE id = ${company.banks.removed}`.execute(tx),
    found: ['bank account history'],
  },
  {
    what: 'frees a bank account that is paid to',
    does: (tx) =>
      sql`UPDATE bank_account SET use_count = 0
           WHERE id = ${company.maya.bank.id}`.execute(tx),
    found: ['bank account use'],
  },
  {
    what: 'marks a line as paid',
    does: (tx) =>
      sql`UPDATE payroll_line SET status = 'processed', ledger_transaction_id = gen_random_uuid()
           WHERE batch_id = ${company.batches.waiting} AND line_number = 1`.execute(tx),
    found: ['payroll batch', 'payroll posting'],
  },
  {
    what: 'lets a paid line be paid again',
    does: (tx) =>
      sql`UPDATE payroll_line SET status = 'draft', ledger_transaction_id = NULL
           WHERE batch_id = ${company.batches.completed} AND line_number = 1`.execute(tx),
    found: ['payroll batch', 'payroll posting'],
  },
  {
    what: 'says that a batch paid less than it did',
    does: (tx) =>
      sql`UPDATE payroll_batch SET paid_count = 0, paid_minor = 0, failed_count = payable_count,
                                   status = 'failed'
           WHERE id = ${company.batches.completed}`.execute(tx),
    found: ['payroll batch', 'payroll history'],
  },
  {
    what: 'puts a line into a batch that was sent',
    does: (tx) =>
      sql`INSERT INTO payroll_line (batch_id, line_number, user_id, wallet_id, amount_minor, status)
          SELECT batch.id, payable_count + skipped_count + 1, wallet.user_id, wallet.id,
                 amount_minor, 'draft'
            FROM payroll_batch AS batch, wallet
           WHERE batch.id = ${company.batches.waiting}
             AND wallet.user_id = ${company.otherAdmin.actor.id}`.execute(tx),
    found: ['payroll batch', 'payroll line', 'payroll record'],
  },
  {
    what: 'makes somebody an admin',
    does: (tx) => sql`UPDATE app_user SET role = 'admin' WHERE id = ${company.ids.ben}`.execute(tx),
    found: ['admin role'],
  },
  {
    what: 'records an approval that did not happen',
    does: (tx) =>
      sql`INSERT INTO audit_event (actor_id, actor_role, action, subject_type, subject_id)
          VALUES (${company.ids.admin}, 'admin', 'withdrawal.approved', 'withdrawal',
                  ${company.withdrawals.pending})`.execute(tx),
    found: ['withdrawal history'],
  },
];

test.each(cases)('the server’s role is found that $what', async ({ does, found }) => {
  expect(await company.finds((tx) => asServer(tx, () => does(tx)))).toEqual(found);
});

async function postingOf(tx: Tx, kind: 'payroll' | 'withdrawal'): Promise<string> {
  const { id } = await tx
    .selectFrom('ledgerTransaction')
    .select('id')
    .where('kind', '=', kind)
    .where((eb) =>
      kind === 'payroll' ? eb.lit(true) : eb('subjectId', '=', company.withdrawals.completed),
    )
    .orderBy('id')
    .executeTakeFirstOrThrow();
  return id;
}

async function holdOf(tx: Tx, withdrawalId: string): Promise<string> {
  const { holdId } = await tx
    .selectFrom('withdrawal')
    .select('holdId')
    .where('id', '=', withdrawalId)
    .executeTakeFirstOrThrow();
  return holdId;
}

/** A wallet of Ben's on that account, as `openWallet` would make it, but unrecorded. */
async function insertWallet(tx: Tx, ledgerAccountId: string): Promise<void> {
  await sql`
    INSERT INTO wallet (id, user_id, type, ledger_account_id, account_number_encrypted,
                      account_number_hash, hash_key_id, last4)
    VALUES (gen_random_uuid(), ${company.ids.ben}, 'irs', ${ledgerAccountId}, '', 'forged', 'test', '0000')`.execute(
    tx,
  );
}
