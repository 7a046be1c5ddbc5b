import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { generateKeyPairSync } from 'node:crypto';
import { withTx } from '#server/db/tx.ts';
import type { Tx } from '#server/db/tx.ts';
import { placeHold, readHead } from '#server/modules/ledger/index.ts';
import type { Problem, Scope } from '#server/modules/ledger/index.ts';
import { createTestSealer } from '#test/ledger-sealer.ts';
import { forge, openTamperedCompany } from '#test/tampered-company.ts';
import type { TamperedCompany } from '#test/tampered-company.ts';
import { liftGuards } from '#test/unguarded.ts';
import { businessChecks, checksFor, runChecks } from './index.ts';

let company: TamperedCompany;
/** Before anything happened, and now. */
const start: Scope = { afterHeight: 0n };
let now: Scope;

beforeAll(async () => {
  company = await openTamperedCompany();
  await createTestSealer(company.db, generateKeyPairSync('ed25519').privateKey).run();
  const head = await withTx(company.db, readHead);
  now = { afterHeight: head?.height ?? null };
});
afterAll(() => company.close());

/** Findings of the checks after `tamper`, within the scope: the same whether ids are listed or found again. */
async function foundSince(scope: Scope, tamper: (tx: Tx) => Promise<unknown>): Promise<string[]> {
  const [listed, foundAgain] = await company.after(tamper, async (tx) => [
    await runChecks(tx, businessChecks, scope),
    await runChecks(tx, businessChecks, scope, 0),
  ]);
  const sentences = (problems: readonly Problem[]) =>
    problems.map(({ check, id, what }) => `${check} ${id} ${what}`).toSorted();
  expect(sentences(foundAgain)).toEqual(sentences(listed));
  return [...new Set(listed.map(({ check }) => check))].toSorted();
}

const nothing = () => Promise.resolve();
const raise = (id: string) => async (tx: Tx) => {
  await liftGuards(tx);
  await sql`UPDATE withdrawal SET amount_minor = amount_minor + 1 WHERE id = ${id}`.execute(tx);
};
const record = (tx: Tx, subjectType: string, subjectId: string) =>
  sql`INSERT INTO audit_event (actor_id, actor_role, action, subject_type, subject_id)
      VALUES (${company.ids.admin}, 'admin', 'looked_at', ${subjectType}, ${subjectId})`.execute(
    tx,
  );

test('a busy company has nothing to find, from the start or from now on', async () => {
  expect(await foundSince(start, nothing)).toEqual([]);
  expect(await foundSince(now, nothing)).toEqual([]);
});

test('from the start, it finds what looking at everything finds', async () => {
  const tamper = raise(company.withdrawals.completed);
  expect(await foundSince(start, tamper)).toEqual(await company.finds(tamper));
});

test('from now on, it leaves alone what nothing touched', async () => {
  expect(await foundSince(now, raise(company.withdrawals.completed))).toEqual([]);
});

test('no statement lists more ids than it may, however much is new', async () => {
  const longest = async (most?: number) => {
    const checks = await withTx(company.db, (tx) => checksFor(tx, businessChecks, start, most));
    const lists = checks
      .flatMap(({ query }) => query.compile(company.db).parameters)
      .filter((value) => typeof value === 'string' && value.startsWith('{'))
      .map((value) => String(value).split(',').length);
    return Math.max(0, ...lists);
  };
  expect(await longest(3)).toBeLessThanOrEqual(3);
  expect(await longest()).toBeGreaterThan(3);
});

describe('from now on, it finds', () => {
  test('a posting', async () => {
    const forged = (tx: Tx) =>
      forge(tx, {
        kind: 'deposit',
        code: 'deposit_clearing:wire',
        accountId: company.ids.benAccount,
        amountMinor: 5_000_000n,
      });
    expect(await foundSince(now, forged)).toEqual(['deposit-posting']);
  });

  test('a posting for a request that does not say so', async () => {
    const paidTwice = (tx: Tx) =>
      forge(tx, {
        kind: 'withdrawal',
        code: 'payout_clearing',
        accountId: company.ids.mayaAccount,
        amountMinor: -40_000n,
        subjectId: company.withdrawals.completed,
      });
    expect(await foundSince(now, paidTwice)).toEqual(['withdrawal-posting']);
  });

  test('money that is held for nothing', async () => {
    const hold = { amountMinor: 1n, reference: 'FORGED' };
    const held = (tx: Tx) => placeHold(tx, { ...hold, accountId: company.ids.benAccount });
    expect(await foundSince(now, held)).toEqual(['withdrawal-hold']);
  });

  test.each([
    ['withdrawal', () => company.withdrawals.rejected, 'withdrawal-record'],
    ['deposit', () => company.deposits.pending, 'deposit-record'],
    ['person_payment', () => company.payment, 'payment-record'],
    ['wallet_move', () => company.move, 'move-record'],
    ['bill', () => company.bills.rejected, 'bill-record'],
    ['payroll_batch', () => company.batches.completed, 'payroll-record'],
  ])('a %s that was changed and acted on', async (table, id, check) => {
    const changed = async (tx: Tx) => {
      await record(tx, table, id());
      await liftGuards(tx);
      await sql`UPDATE ${sql.table(table)} SET amount_minor = amount_minor + 1
                 WHERE id = ${id()}`.execute(tx);
    };
    expect(await foundSince(now, changed)).toContain(check);
  });

  test('a bank account that was changed and acted on, and what goes to it', async () => {
    const { id } = company.maya.bank;
    const changed = async (tx: Tx) => {
      await record(tx, 'bank_account', id);
      await record(tx, 'withdrawal', company.withdrawals.pending);
      await liftGuards(tx);
      await sql`UPDATE bank_account SET user_id = ${company.ids.ben}, is_primary = false
                 WHERE id = ${id}`.execute(tx);
    };
    expect(await foundSince(now, changed)).toEqual([
      'bank-account-record',
      'withdrawal-destination',
    ]);
  });

  test('the wallet of whoever is paid', async () => {
    const swapped = async (tx: Tx) => {
      await liftGuards(tx);
      await sql`UPDATE ledger_account SET min_available = NULL
                 WHERE id = ${company.ids.benAccount}`.execute(tx);
      await forge(tx, {
        kind: 'payroll',
        code: 'payroll_funding',
        accountId: company.ids.benAccount,
        amountMinor: 1n,
      });
    };
    expect(await foundSince(now, swapped)).toEqual(['payroll-posting', 'wallet-limit']);
  });

  test('a batch that is not finished', async () => {
    const changed = async (tx: Tx) => {
      await liftGuards(tx);
      await sql`UPDATE payroll_batch SET total_minor = 1
                 WHERE id = ${company.batches.waiting}`.execute(tx);
    };
    expect(await foundSince(now, changed)).toEqual(['payroll-batch', 'payroll-record']);
  });
});
