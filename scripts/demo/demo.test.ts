import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DEPARTMENT_IDS } from '#contract/company.ts';
import { KYC_DOCUMENT_STATUSES, KYC_STATUSES } from '#contract/kyc.ts';
import {
  BANK_ACCOUNT_STATUSES,
  BILL_STATUSES,
  DEPOSIT_STATUSES,
  WITHDRAWAL_STATUSES,
} from '#contract/statuses.ts';
import { bill } from '#contract/things/bill.ts';
import { withdrawal } from '#contract/things/withdrawal.ts';
import { withTx } from '#server/db/tx.ts';
import type { Db } from '#server/db/tx.ts';
import { recordedActs } from '#server/modules/acts/index.ts';
import { verifyLedger } from '#server/modules/ledger/index.ts';
import { updateSettings } from '#server/modules/settings/index.ts';
import { businessChecks, runChecks } from '#server/modules/verification/index.ts';
import { createPerson } from '#test/factories/people.ts';
import { createTestServices } from '#test/factories/services.ts';
import { openTestDb } from '#test/open-db.ts';
import type { TestDb } from '#test/open-db.ts';
import { until } from '#test/until.ts';
import { createDemoCompany, DEMO_SIGN_INS } from './index.ts';
import { alone } from './making-lock.ts';

/** It takes seconds, and many more on a busy machine. */
const MAKING_MS = 180_000;

const { vault, files } = createTestServices();
const now = new Date();

function makeDemo(db: Db, log: (sentence: string) => void = () => undefined): Promise<boolean> {
  const createServices = (clock: { now(): Date }) => ({ clock, vault, files });
  return createDemoCompany({ db, createServices, log, now });
}

describe('the demo company', () => {
  let test: TestDb;
  let db: Db;
  let wasMade: boolean;

  beforeAll(async () => {
    test = await openTestDb();
    db = test.db;
    wasMade = await makeDemo(db);
  }, MAKING_MS);
  afterAll(() => test.close());

  it('has people in every department and every kind of wallet', async () => {
    const people = await db.selectFrom('appUser').selectAll().execute();
    expect(people.filter(({ role }) => role === 'admin')).toHaveLength(2);
    const employees = people.filter(({ role }) => role === 'employee');
    expect(employees).toHaveLength(60);
    expect(new Set(employees.map(({ department }) => department))).toEqual(new Set(DEPARTMENT_IDS));
    const wallets = await db.selectFrom('wallet').select('type').distinct().execute();
    expect(wallets).toHaveLength(4);
  });

  it('has every state of requests, bank accounts and applications', async () => {
    const statesOf = async (
      table:
        | 'withdrawal'
        | 'deposit'
        | 'bill'
        | 'bankAccount'
        | 'kycApplication'
        | 'kycDocument'
        | 'kycProfile',
    ) => {
      const rows = await db.selectFrom(table).select('status').distinct().execute();
      return rows.map(({ status }) => status).toSorted();
    };
    expect(await statesOf('withdrawal')).toEqual(WITHDRAWAL_STATUSES.toSorted());
    expect(await statesOf('bill')).toEqual(BILL_STATUSES.toSorted());
    expect(await statesOf('deposit')).toEqual(DEPOSIT_STATUSES.toSorted());
    expect(await statesOf('bankAccount')).toEqual(BANK_ACCOUNT_STATUSES.toSorted());
    expect(await statesOf('kycDocument')).toEqual(KYC_DOCUMENT_STATUSES.toSorted());
    expect(await statesOf('kycProfile')).toEqual([
      'pending',
      'rejected',
      'under_review',
      'verified',
    ]);
    expect(await statesOf('kycApplication')).toEqual(KYC_STATUSES.toSorted());
  });

  it('has paid a year of payrolls that look like salaries, and skipped who has no such wallet', async () => {
    const batches = await db.selectFrom('payrollBatch').selectAll().execute();
    expect(new Set(batches.map(({ status }) => status))).toEqual(new Set(['completed']));
    expect(batches.every(({ failedCount }) => failedCount === 0)).toBe(true);
    const salaries = batches.filter(({ walletType }) => walletType === 'salary');
    const payDays = new Set(salaries.map(({ createdAt }) => createdAt.toISOString()));
    expect(payDays.size).toBe(26);
    for (const { amountMinor } of salaries) {
      expect(amountMinor).toBeGreaterThanOrEqual(180_000n);
      expect(amountMinor).toBeLessThanOrEqual(420_000n);
    }
    expect(batches.some(({ skippedCount }) => skippedCount > 0)).toBe(true);
  });

  it('has a sound ledger whose holds are those of open withdrawals and bills', async () => {
    const verification = await verifyLedger(db);
    expect(verification.problems).toEqual([]);
    const open = [
      ...(await db
        .selectFrom('withdrawal')
        .select('amountMinor')
        .where('status', 'in', ['pending', 'approved', 'processing'])
        .execute()),
      ...(await db
        .selectFrom('bill')
        .select('amountMinor')
        .where('status', 'in', ['scheduled', 'due', 'sent'])
        .execute()),
    ];
    const heldMinor = open.reduce((sum, { amountMinor }) => sum + amountMinor, 0n);
    expect(verification.sums).toEqual([expect.objectContaining({ currency: 'USD', heldMinor })]);
  });

  it('has books that agree with its requests, its payrolls and its audit trail', async () => {
    expect(await withTx(db, (tx) => runChecks(tx, businessChecks))).toEqual([]);
  });

  it('keeps in each withdrawal and bill the last act of the audit trail', async () => {
    const withdrawals = await db
      .selectFrom('withdrawal')
      .select(['movedAt', 'movedBy', recordedActs(withdrawal, 'withdrawal.id').as('done')])
      .execute();
    const bills = await db
      .selectFrom('bill')
      .select(['movedAt', 'movedBy', recordedActs(bill, 'bill.id').as('done')])
      .execute();
    expect(withdrawals.length).toBeGreaterThan(50);
    expect(bills.length).toBeGreaterThan(5);
    for (const { movedAt, movedBy, done } of [...withdrawals, ...bills]) {
      const last = done.at(-1);
      expect({ movedAt, movedBy }).toEqual({
        movedAt: last === undefined ? null : new Date(last.at),
        movedBy: last?.actorId ?? null,
      });
    }
  });

  it('lies in the past year, in the order of the ledger', async () => {
    const { first, last } = await db
      .selectFrom('ledgerTransaction')
      .select(({ fn }) => [fn.min('effectiveAt').as('first'), fn.max('effectiveAt').as('last')])
      .executeTakeFirstOrThrow();
    expect(last.getTime()).toBeLessThan(now.getTime());
    const daysAgo = (now.getTime() - first.getTime()) / 86_400_000;
    expect(daysAgo).toBeGreaterThan(340);
    expect(daysAgo).toBeLessThan(373);
  });

  it('lets exactly the demo sign-ins in, and Maya withdraw', async () => {
    const accounts = await db
      .selectFrom('authAccount')
      .innerJoin('appUser', 'appUser.id', 'authAccount.userId')
      .select(['appUser.email', 'password'])
      .execute();
    // Whoever shares the hash of the demo's password; that of all others is of one nobody knows.
    const [{ email: known }] = DEMO_SIGN_INS;
    const own = accounts.find(({ email }) => email === known)?.password;
    const sharing = accounts.filter(({ password }) => password === own);
    expect(sharing.map(({ email }) => email).toSorted()).toEqual(
      DEMO_SIGN_INS.map(({ email }) => email).toSorted(),
    );
    expect(new Set(accounts.map(({ password }) => password)).size).toBe(2);
    const banks = await db
      .selectFrom('bankAccount')
      .innerJoin('appUser', 'appUser.id', 'bankAccount.userId')
      .select(['bankAccount.last4', 'bankAccount.status', 'bankAccount.isPrimary'])
      .where('appUser.email', '=', 'maya@purser.test')
      .orderBy('bankAccount.createdAt')
      .execute();
    expect(banks).toEqual([
      { last4: '2208', status: 'verified', isPrimary: true },
      { last4: '4471', status: 'verified', isPrimary: false },
      { last4: '9035', status: 'pending', isPrimary: false },
    ]);
  });

  it('has read and unread notifications, and sends no mail about the past', async () => {
    const unread = await db
      .selectFrom('notification')
      .select('id')
      .where('readAt', 'is', null)
      .execute();
    const all = await db.selectFrom('notification').select('id').execute();
    expect(unread.length).toBeGreaterThan(0);
    expect(unread.length).toBeLessThan(all.length);
    expect(await db.selectFrom('outbox').select('id').execute()).toEqual([]);
  });

  it('is made once', async () => {
    expect(wasMade).toBe(true);
    expect(await makeDemo(db)).toBe(false);
  });
});

describe('folders without a demo company', () => {
  it('leaves a company alone in which a person has an account', async () => {
    const test = await openTestDb();
    await createPerson(test.db);
    expect(await makeDemo(test.db)).toBe(false);
    await test.close();
  });

  it('says so when an earlier start was stopped half-way', async () => {
    const test = await openTestDb();
    await withTx(test.db, (tx) =>
      updateSettings(tx, createTestServices(), { actor: 'system' }, { demo: 'unfinished' }),
    );
    await expect(makeDemo(test.db)).rejects.toThrow(/stopped half-way/);
    await test.close();
  });
});

it('is waited for by a second start, which makes none', async () => {
  const test = await openTestDb();
  const said: string[] = [];
  const second = await alone(
    test.db,
    () => undefined,
    async () => {
      const services = createTestServices();
      const setDemo = (demo: 'unfinished' | 'complete') =>
        withTx(test.db, (tx) => updateSettings(tx, services, { actor: 'system' }, { demo }));
      await setDemo('unfinished');
      const making = makeDemo(test.db, (sentence) => said.push(sentence));
      await until(() => said.length > 0);
      await setDemo('complete');
      return { making };
    },
  );
  expect(await second.making).toBe(false);
  expect(said).toEqual(['Another start is making the demo company. Waiting for it ...']);
  await test.close();
});
