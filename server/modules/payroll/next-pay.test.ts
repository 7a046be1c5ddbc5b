import { afterEach, beforeEach, expect, it } from 'vitest';
import type { RouteArguments } from '#contract/api.ts';
import { money } from '#contract/money.ts';
import { withTx } from '#server/db/tx.ts';
import type { Actor } from '#server/lib/actor.ts';
import { newId } from '#server/lib/ids.ts';
import { updateSettings } from '#server/modules/settings/index.ts';
import { changeUsualPay } from '#server/modules/usual-pay/index.ts';
import { openWallet } from '#server/modules/wallets/index.ts';
import { seedAdmin, seedEmployees } from '#test/factories/payroll.ts';
import { payrollSchedule } from '#test/factories/schedule.ts';
import { createTestServices } from '#test/factories/services.ts';
import { openTestDb } from '#test/open-db.ts';
import type { TestDb } from '#test/open-db.ts';
import { confirmPayroll, PAYROLL_AMOUNT_MINOR } from '#test/payroll-fixture.ts';
import { createPayrollDraft } from './drafts/create-draft.ts';
import { savePayrollDraft } from './drafts/save-draft.ts';
import { getNextPay } from './next-pay.ts';

const services = createTestServices();
const usd = (minor: number) => money(BigInt(minor), 'USD');
let test: TestDb;
let admin: Actor;
let userId: string;

beforeEach(async () => {
  test = await openTestDb();
  services.clock.set('2026-12-08T17:00:00.000Z');
  admin = await seedAdmin(test.db);
  [userId = ''] = (await seedEmployees(test.db, { count: 1 })).map(({ id }) => id);
  const schedule = payrollSchedule({ frequency: 'biweekly', firstPayday: '2026-12-11' });
  await withTx(test.db, (tx) => updateSettings(tx, services, { actor: 'system' }, { schedule }));
  const lines = [{ walletType: 'salary' as const, before: usd(0), amount: usd(318_000) }];
  const change = { id: userId, validFrom: '2026-12-11', reason: 'Hired', lines };
  await withTx(test.db, (tx) => changeUsualPay(tx, services, { actor: admin }, change));
});
afterEach(() => test.close());

const nextPay = () => getNextPay(test.db, services, userId);
const drafted = (body: Partial<RouteArguments<'adminCreatePayrollDraft'>['body']> = {}) =>
  withTx(test.db, (tx) =>
    createPayrollDraft(
      tx,
      services,
      { actor: admin },
      {
        walletType: 'salary',
        department: 'all',
        payOn: '2026-12-11',
        description: 'Pay',
        hasOwnAmounts: false,
        amount: usd(70_000),
        ...body,
      },
    ),
  );
const USUAL = { walletType: 'salary', amount: usd(318_000), draft: null, batch: null };

it('is the usual pay of the day, without a draft that pays the person', async () => {
  const usual = { on: '2026-12-11', lines: [USUAL], total: usd(318_000), usual: usd(318_000) };
  expect(await nextPay()).toEqual(usual);
  // A later payday, other people, and a wallet that is not open.
  await drafted({ payOn: '2026-12-24' });
  await drafted({ department: 'sales' });
  await drafted({ department: 'chosen' });
  await drafted({ hasOwnAmounts: true, amount: null });
  await drafted({ walletType: 'savings' });
  expect(await nextPay()).toEqual(usual);
  await expect(getNextPay(test.db, services, newId())).rejects.toMatchObject({
    code: 'person_not_found',
  });
});

it('is the line of each draft, and the usual pay into the other wallets', async () => {
  await withTx(test.db, (tx) => openWallet(tx, services, { userId, type: 'savings' }));
  const own = await drafted({ hasOwnAmounts: true, amount: null });
  const pay = async (version: number, amount: ReturnType<typeof usd> | null) => {
    const body = { id: own.id, version, people: [{ id: userId, amount }] };
    await withTx(test.db, (tx) => savePayrollDraft(tx, services, { actor: admin }, body));
  };
  await pay(1, usd(301_500));
  const undated = await drafted({ walletType: 'savings', payOn: null });
  const draftOf = ({ id, name }: { id: string; name: string }) => ({ draft: { id, name } });
  expect(await nextPay()).toEqual({
    on: '2026-12-11',
    lines: [
      { ...USUAL, ...draftOf(own), amount: usd(301_500) },
      { ...USUAL, ...draftOf(undated), walletType: 'savings', amount: usd(70_000) },
    ],
    total: usd(371_500),
    usual: usd(318_000),
  });
  // Left out of the draft, so that nothing is expected.
  await pay(2, null);
  expect(await nextPay()).toMatchObject({
    lines: [{ walletType: 'savings' }],
    total: usd(70_000),
    usual: usd(318_000),
  });
});

it('is the line of a payroll that was sent, until it is posted', async () => {
  const id = await confirmPayroll(test.db, admin, { ...services, payOn: '2026-12-11' });
  const { lines, total } = await nextPay();
  expect(lines).toEqual([
    {
      walletType: 'salary',
      amount: money(PAYROLL_AMOUNT_MINOR, 'USD'),
      draft: null,
      batch: { id, number: expect.any(String), status: 'pending' },
    },
  ]);
  expect(total).toEqual(money(PAYROLL_AMOUNT_MINOR, 'USD'));
});
