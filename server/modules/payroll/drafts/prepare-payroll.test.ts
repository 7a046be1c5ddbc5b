import { sql } from 'kysely';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { addDays } from '#contract/calendar.ts';
import { money } from '#contract/money.ts';
import type { WalletType } from '#contract/wallets.ts';
import { withTx } from '#server/db/tx.ts';
import type { Actor } from '#server/lib/actor.ts';
import { readSettings, updateSettings } from '#server/modules/settings/index.ts';
import { changeUsualPay } from '#server/modules/usual-pay/index.ts';
import { openWallet } from '#server/modules/wallets/index.ts';
import { seedAdmin, seedEmployees } from '#test/factories/payroll.ts';
import type { SeededEmployee } from '#test/factories/payroll.ts';
import { payrollSchedule } from '#test/factories/schedule.ts';
import { createTestServices } from '#test/factories/services.ts';
import { noticesOf } from '#test/notices-of.ts';
import { openTestDb } from '#test/open-db.ts';
import type { TestDb } from '#test/open-db.ts';
import { confirmPayroll } from '#test/payroll-fixture.ts';
import { findDuePayroll } from '../due-payroll.ts';
import { payrollDraftActs } from './draft.ts';
import { preparePayroll } from './prepare-payroll.ts';
import { newestDrafts } from './rows.ts';
import { getScheduledPayroll } from './scheduled-payroll.ts';
import { savePayrollDraft } from './save-draft.ts';
import { previewPayrollDraft } from './send-draft.ts';

const services = createTestServices();
let test: TestDb;
let admin: Actor;
let people: SeededEmployee[];

beforeEach(async () => {
  test = await openTestDb();
  admin = await seedAdmin(test.db);
  people = await seedEmployees(test.db, { count: 3 });
  services.clock.set('2026-11-30T17:00:00.000Z');
  // Fridays, of which December 25 is a holiday.
  await schedule({ frequency: 'biweekly', firstPayday: '2026-12-11' });
  await usuallyPaid(0, 100_001, '2026-12-11');
  await usuallyPaid(1, 200_002, '2026-12-11');
});
afterEach(() => test.close());

const schedule = (chosen: Parameters<typeof payrollSchedule>[0]) =>
  withTx(test.db, (tx) =>
    updateSettings(tx, services, { actor: 'system' }, { schedule: payrollSchedule(chosen) }),
  );
const openAlso = (index: number, type: WalletType) =>
  withTx(test.db, (tx) => openWallet(tx, services, { userId: idOf(index), type }));
const idOf = (index: number) => people[index]?.id ?? '';
interface Pay {
  walletType?: WalletType;
  before?: number;
}
function usuallyPaid(
  index: number,
  minor: number,
  validFrom: string,
  { walletType = 'salary', before = 0 }: Pay = {},
) {
  const usd = (amount: number) => money(BigInt(amount), 'USD');
  const line = { walletType, before: usd(before), amount: usd(minor) };
  const order = { id: idOf(index), validFrom, reason: 'Hired', lines: [line] };
  return withTx(test.db, (tx) => changeUsualPay(tx, services, { actor: admin }, order));
}
/** Prepares at noon in New York of that day. */
function prepareOn(day: string): Promise<number> {
  services.clock.set(`${day}T17:00:00.000Z`);
  return preparePayroll(test.db, services);
}
const drafts = async () => newestDrafts(test.db, await readSettings(test.db), 10);

it('is scheduled until it is prepared, and then the next one is', async () => {
  await openAlso(0, 'savings');
  await usuallyPaid(0, 5_000, '2026-12-24', { walletType: 'savings' });
  const scheduled = () => getScheduledPayroll(test.db, services);
  const usd = (minor: number) => money(BigInt(minor), 'USD');
  const salary = { walletType: 'salary', employees: 2, total: usd(300_003) };
  expect(await scheduled()).toEqual({
    payday: {
      on: '2026-12-11',
      movedFrom: null,
      preparedOn: '2026-12-04',
      name: 'Salary Wallet - 12/11/2026',
      total: usd(300_003),
    },
    payrolls: [{ ...salary, name: 'Salary Wallet - 12/11/2026' }],
  });
  services.clock.set('2026-12-06T17:00:00.000Z');
  expect((await scheduled()).payday).toMatchObject({ on: '2026-12-11', preparedOn: '2026-12-06' });
  await prepareOn('2026-12-06');
  const after = {
    payday: {
      on: '2026-12-24',
      movedFrom: '2026-12-25',
      preparedOn: '2026-12-17',
      name: 'Payroll - 12/24/2026',
      total: usd(305_003),
    },
    payrolls: [
      { ...salary, name: 'Salary Wallet - 12/24/2026' },
      {
        name: 'Savings Account (401k) - 12/24/2026',
        walletType: 'savings',
        employees: 1,
        total: usd(5_000),
      },
    ],
  };
  expect(await scheduled()).toEqual(after);
  // A payroll that was sent for the day needs no draft; the other type does.
  await confirmPayroll(test.db, admin, { ...services, payOn: '2026-12-24' });
  const [, savings] = after.payrolls;
  expect(await scheduled()).toEqual({
    payday: { ...after.payday, name: savings?.name, total: savings?.total },
    payrolls: [savings],
  });
});

it('prepares each payday a week before it, once, with the usual pay of that day', async () => {
  await openAlso(0, 'savings');
  await usuallyPaid(0, 5_000, '2026-12-24', { walletType: 'savings' });
  expect(await prepareOn('2026-12-03')).toBe(0);
  expect(await prepareOn('2026-12-04')).toBe(1);
  expect(await prepareOn('2026-12-05')).toBe(0);
  const [draft] = await drafts();
  expect(draft).toMatchObject({
    name: 'Salary Wallet - 12/11/2026',
    payOn: '2026-12-11',
    preparedFor: '2026-12-11',
    createdBy: 'Purser',
    changedBy: 'Purser',
    employees: 2,
    startedFrom: 'usual',
    department: 'all',
    total: money(300_003n, 'USD'),
    version: 1,
  });
  expect(await noticesOf(test.db, admin.id, 'payroll-prepared')).toEqual([
    'Salary Wallet - 12/11/2026 is prepared from usual pay: 2 employees, $3,000.03. Review it before you send it.',
  ]);
  // December 25 moved to the 24th, which is a week after the 17th.
  expect(await prepareOn('2026-12-16')).toBe(0);
  expect(await prepareOn('2026-12-17')).toBe(2);
  const [ofBoth, ofOne] = await drafts();
  expect(ofOne?.name).toBe('Salary Wallet - 12/11/2026');
  expect(ofBoth).toMatchObject({
    name: 'Payroll - 12/24/2026',
    partOf: null,
    preparedFor: '2026-12-24',
    wallets: [
      { walletType: 'salary', employees: 2, total: money(300_003n, 'USD') },
      { walletType: 'savings', employees: 1, total: money(5_000n, 'USD') },
    ],
  });
  expect(await noticesOf(test.db, admin.id, 'payroll-prepared')).toContain(
    'Payroll - 12/24/2026 is prepared from usual pay: 2 employees, $3,050.03. Review it before you send it.',
  );
});

it('adds usual pay that was entered later to the draft of its payday, with what was changed there', async () => {
  await prepareOn('2026-12-04');
  const [whole] = await drafts();
  if (whole === undefined) throw new Error('nothing was prepared');
  await withTx(test.db, (tx) =>
    savePayrollDraft(
      tx,
      services,
      { actor: admin },
      { id: whole.id, version: 1, description: 'Biweekly pay' },
    ),
  );
  await openAlso(1, 'irs');
  await usuallyPaid(1, 7_001, '2026-12-11', { walletType: 'irs' });
  expect(await prepareOn('2026-12-05')).toBe(1);
  expect(await prepareOn('2026-12-06')).toBe(0);
  const [both, ...others] = await drafts();
  expect(others).toEqual([]);
  expect(both?.wallets.map(({ walletType }) => walletType)).toEqual(['salary', 'irs']);
  const seen = await previewPayrollDraft(test.db, services, { id: whole.id, readerId: admin.id });
  expect(seen).toMatchObject({ employeeCount: 2, total: money(307_004n, 'USD') });
  expect(await noticesOf(test.db, admin.id, 'payroll-prepared')).toHaveLength(2);
});

it('prepares a payday once when two processes do at the same moment', async () => {
  services.clock.set('2026-12-04T17:00:00.000Z');
  const made = await Promise.all([
    preparePayroll(test.db, services),
    preparePayroll(test.db, services),
  ]);
  expect(made.toSorted((one, other) => one - other)).toEqual([0, 1]);
  expect(await drafts()).toHaveLength(1);
});

it('is reviewed and changed like any other draft, and discarded for good', async () => {
  await prepareOn('2026-12-04');
  const [draft] = await drafts();
  if (draft === undefined) throw new Error('nothing was prepared');
  const changed = await withTx(test.db, (tx) =>
    savePayrollDraft(
      tx,
      services,
      { actor: admin },
      {
        id: draft.id,
        version: 1,
        description: 'Biweekly pay',
        people: [{ id: idOf(1), amount: null }],
      },
    ),
  );
  expect(changed).toMatchObject({ employees: 1, changedBy: 'Renee Albright', createdBy: 'Purser' });
  expect(
    await previewPayrollDraft(test.db, services, { id: draft.id, readerId: admin.id }),
  ).toMatchObject({
    total: money(100_001n, 'USD'),
  });
  services.clock.set('2026-12-08T17:00:00.000Z');
  const due = async () =>
    findDuePayroll(test.db, await readSettings(test.db), services.clock.now());
  expect(await due()).toMatchObject({ prepared: [{ id: draft.id, name: draft.name }] });
  await withTx(test.db, (tx) =>
    payrollDraftActs.discard(tx, services, { actor: admin }, { id: draft.id }),
  );
  expect(await due()).toMatchObject({ prepared: [] });
  expect(await prepareOn('2026-12-09')).toBe(0);
});

it('prepares nothing where the payroll of that payday was sent, or nobody has usual pay', async () => {
  // Counts for December 24, because it was sent after the middle between that payday and the one before.
  services.clock.set('2026-12-17T14:00:00.000Z');
  await confirmPayroll(test.db, admin, services);
  expect(await prepareOn('2026-12-17')).toBe(0);
  await openAlso(0, 'irs');
  await usuallyPaid(0, 5_000, '2026-12-24', { walletType: 'irs' });
  expect(await prepareOn('2026-12-18')).toBe(1);
  expect((await drafts()).map(({ walletType }) => walletType)).toEqual(['irs']);
});

it('prepares each Friday of a year of 53 once, and the last days of a leap year’s months', async () => {
  const prepareAll = async (from: string, days: number) => {
    for (let day = 0; day < days; day += 7) await prepareOn(addDays(from, day));
    const { rows } = await sql<{ on: string }>`
      SELECT prepared_for AS "on" FROM payroll_draft WHERE prepared_for >= ${from} ORDER BY 1`.execute(
      test.db,
    );
    return rows.map(({ on }) => on);
  };
  await schedule({ frequency: 'weekly', firstPayday: '2026-12-25' });
  // January 1 moved to the day before; the last of the 53 is December 31.
  const fridays = Array.from({ length: 53 }, (_, week) => addDays('2027-01-01', 7 * week));
  expect(fridays.at(-1)).toBe('2027-12-31');
  expect(await prepareAll('2026-12-25', 53 * 7)).toEqual(['2026-12-31', ...fridays.slice(1)]);

  await schedule({ frequency: 'monthly', day: 'last' });
  expect(await prepareAll('2028-01-01', 5 * 31)).toEqual([
    '2028-01-31',
    '2028-02-29',
    '2028-03-31',
    '2028-04-28',
    '2028-05-31',
  ]);
});
