import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { money } from '#contract/money.ts';
import { withTx } from '#server/db/tx.ts';
import { scheduleBill, takeBills } from '#server/modules/payments/index.ts';
import { outsidePayee } from '#test/factories/bills.ts';
import { AMOUNT } from '#test/factories/payouts.ts';
import { openReturns } from '#test/factories/returned-payouts.ts';
import type { ReturnDesk } from '#test/factories/returned-payouts.ts';
import { createTestServices } from '#test/factories/services.ts';
import { getPayoutFile } from '../file-queries.ts';

const services = createTestServices();
const BILL = 1_500n;
let { db, admin, steps } = {} as ReturnDesk;
openReturns(services, (desk) => {
  ({ db, admin, steps } = desk);
});

it('gives payments of one account and bills of one payee back together, and marks each once', async () => {
  const who = await steps.payee();
  const { by, wallet, bank } = who;
  const withdrawals = [await steps.approved(who), await steps.approved(who)];
  const payeeId = await outsidePayee(db, services, by, { name: 'Puget Power' });
  const input = { walletId: wallet.id, payeeId, payOn: '2026-12-08', dueOn: null, memo: '' };
  const schedule = () =>
    withTx(db, (tx) => scheduleBill(tx, services, by, { ...input, amount: money(BILL, 'USD') }));
  const bills = [await schedule(), await schedule()];
  await takeBills(db, services);
  const ids = (some: readonly { id: string }[]) => some.map(({ id }) => id);
  const file = await steps.make(ids(withdrawals), ids(bills));
  await steps.download(file.id);
  await steps.doAct('send', file.id);
  const { entries } = await getPayoutFile(db, services, admin, { number: file.number });
  const booked = await steps.book(
    entries.map(({ kind, traceNumber }) => ({
      code: 'R03',
      trace: traceNumber,
      amountMinor: kind === 'bill' ? BILL : AMOUNT,
    })),
  );
  expect(booked.map(({ status }) => status)).toEqual(Array(4).fill('booked'));

  const account = await db
    .selectFrom('bankAccount')
    .select(['status', 'isPrimary', 'returnedWithdrawalId'])
    .where('id', '=', bank.id)
    .executeTakeFirstOrThrow();
  expect(account).toMatchObject({ status: 'returned', isPrimary: false });
  expect(ids(withdrawals)).toContain(account.returnedWithdrawalId);
  const payee = await db
    .selectFrom('payee')
    .select('returnedBillId')
    .where('id', '=', payeeId)
    .executeTakeFirstOrThrow();
  expect(ids(bills)).toContain(payee.returnedBillId);

  const { rows } = await sql<{ name: string; count: number }>`
    SELECT action AS name, count(*)::int FROM audit_event
     WHERE person_id = ${by.actor.id} AND action LIKE '%.returned' GROUP BY 1
    UNION ALL SELECT kind, count(*)::int FROM notification
     WHERE user_id = ${by.actor.id} AND kind LIKE '%-returned' GROUP BY 1`.execute(db);
  expect(Object.fromEntries(rows.map(({ name, count }) => [name, count]))).toEqual({
    'withdrawal.returned': 2,
    'bill.returned': 2,
    'bank_account.returned': 1,
    'payee.returned': 2,
    'withdrawal-returned': 2,
    'bill-returned': 2,
  });
});
