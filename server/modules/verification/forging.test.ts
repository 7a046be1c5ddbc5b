import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Tx } from '#server/db/tx.ts';
import {
  ensureSystemAccount,
  openAccount,
  placeHold,
  post,
  releaseHold,
  reverseAll,
} from '#server/modules/ledger/index.ts';
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

/** Acts of an intruder in the server with the ledger’s own functions. */
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
    found: ['deposit-posting'],
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
    found: ['deposit-posting'],
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
    found: ['deposit-posting'],
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
    found: ['payroll-posting'],
  },
  {
    what: 'posts a bonus that nobody confirmed',
    does: (tx) =>
      forge(tx, {
        kind: 'funding',
        code: 'payroll_funding',
        accountId: company.ids.benAccount,
        amountMinor: 900_000n,
      }),
    found: ['payroll-posting'],
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
    found: ['transaction-kind'],
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
    found: ['payroll-posting', 'posting-sides', 'system-account'],
  },
  {
    what: 'opens an account that stands for nothing',
    does: (tx) => ensureSystemAccount(tx, 'slush_fund', 'USD'),
    found: ['system-account'],
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
    found: ['posting-sides', 'withdrawal-posting'],
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
    found: ['withdrawal-posting'],
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
    found: ['withdrawal-posting'],
  },
  {
    what: 'takes a salary back',
    does: async (tx) =>
      reverseAll(tx, [
        {
          transactionId: await postingOf(tx, 'payroll'),
          reference: 'FORGED',
          description: '',
          actorId: null,
        },
      ]),
    found: ['withdrawal-return'],
  },
  {
    what: 'takes a part of a salary back',
    does: (tx) =>
      forge(tx, {
        kind: 'reversal',
        code: 'payroll_funding',
        accountId: company.ids.mayaAccount,
        amountMinor: -1_000n,
      }),
    found: ['withdrawal-return'],
  },
  {
    what: 'takes a part of a salary back in an admin’s name',
    does: async (tx) => {
      const posted = await forge(tx, {
        kind: 'reversal',
        code: 'payroll_funding',
        accountId: company.ids.benAccount,
        amountMinor: -1_000n,
        actorId: company.ids.admin,
      });
      await sql`
        INSERT INTO payroll_reversal (id, line_id, number, amount_minor, reason, message,
                                      ledger_transaction_id, reversed_by, reversed_at)
        SELECT gen_random_uuid(), line_id, number + 1, 1000, reason, message, ${posted?.id ?? null},
               reversed_by, now()
          FROM payroll_reversal WHERE id = ${company.reversals.part}`.execute(tx);
    },
    found: ['payroll-reversal', 'payroll-reversal-record'],
  },
  {
    what: 'recovers money that nobody agreed to',
    does: (tx) =>
      forge(tx, {
        kind: 'recovery',
        code: 'payroll_funding',
        accountId: company.ids.mayaAccount,
        amountMinor: -1_000n,
      }),
    found: ['recovery-posting'],
  },
  {
    what: 'gives a completed withdrawal back',
    does: async (tx) =>
      reverseAll(tx, [
        {
          transactionId: await postingOf(tx, 'withdrawal'),
          reference: 'FORGED',
          description: '',
          actorId: company.ids.admin,
        },
      ]),
    found: ['withdrawal-return'],
  },
  {
    what: 'holds money that nobody asked for',
    does: (tx) =>
      placeHold(tx, { accountId: company.ids.benAccount, amountMinor: 1n, reference: 'FORGED' }),
    found: ['withdrawal-hold'],
  },
  {
    what: 'releases the hold of an open withdrawal',
    does: async (tx) => releaseHold(tx, await holdOf(tx, company.withdrawals.approved)),
    found: ['withdrawal-hold'],
  },
  {
    what: 'opens an account for a person without a wallet',
    does: (tx) => openAccount(tx, { kind: 'irs', ownerId: company.ids.ben, currency: 'USD' }),
    found: ['wallet-account'],
  },
];

test.each(cases)('the server’s role is found that $what', async ({ does, found }) => {
  expect(await company.finds((tx) => asServer(tx, () => does(tx)))).toEqual(found);
});

test('docs/ledger.md has every case, with the checks that notice it', () => {
  const rows = readDocsTable('### By the server’s role: postings').map(([what, noticed]) => ({
    what,
    found: wordsIn(noticed),
  }));
  expect(rows).toEqual(cases.map(({ what, found }) => ({ what, found: [...found] })));
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
