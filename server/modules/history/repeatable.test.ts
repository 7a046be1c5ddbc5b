import { expect, it } from 'vitest';
import { money } from '#contract/money.ts';
import type { Db } from '#server/db/tx.ts';
import { addPayee, scheduleBill } from '#server/modules/payments/index.ts';
import { personPaymentsFixture } from '#test/person-payments-fixture.ts';
import { findRepeatable } from './repeatable.ts';

let db: Db;
const { services, run, payer, colleague, pay, historyOf } = personPaymentsFixture((company) => {
  ({ db } = company);
});

it('only the payer can repeat a payment to a person, and only while the recipient is employed', async () => {
  const maya = await payer();
  const keiko = await colleague();
  await pay(maya, keiko, 6_000n, { note: 'Tea' });
  const [sent] = await historyOf(maya.by);
  const [received] = await historyOf(keiko);
  const { email } = await db
    .selectFrom('appUser')
    .select('email')
    .where('id', '=', keiko.actor.id)
    .executeTakeFirstOrThrow();
  const transactionId = sent?.transactionId ?? '';
  expect(await findRepeatable(db, maya.by.actor.id, transactionId)).toEqual({
    kind: 'person',
    email,
    note: 'Tea',
  });
  expect(received?.transactionId).toBe(transactionId);
  expect(await findRepeatable(db, keiko.actor.id, transactionId)).toBeNull();
  await db
    .updateTable('appUser')
    .set({ deactivatedAt: services.clock.now() })
    .where('id', '=', keiko.actor.id)
    .execute();
  expect(await findRepeatable(db, maya.by.actor.id, transactionId)).toBeNull();
});

it('a bill can be repeated to its payee, and a payroll cannot', async () => {
  const maya = await payer();
  const [salary] = await historyOf(maya.by);
  expect(await findRepeatable(db, maya.by.actor.id, salary?.transactionId ?? '')).toBeNull();
  const details = {
    name: 'Harbor Fiber',
    kind: 'business',
    isSaved: true,
    accountType: 'checking',
    routingNumber: '021000021',
    accountNumber: '40227755502',
    customerNumber: 'HF-1',
  } as const;
  const { id: payeeId } = await run((tx) => addPayee(tx, services, maya.by, details));
  await run((tx) =>
    scheduleBill(tx, services, maya.by, {
      walletId: maya.wallet.id,
      payeeId,
      amount: money(7_000n, 'USD'),
      memo: 'December',
      payOn: '2026-12-20',
      dueOn: null,
    }),
  );
  const bill = (await historyOf(maya.by)).find(({ type }) => type === 'bill');
  expect(await findRepeatable(db, maya.by.actor.id, bill?.transactionId ?? '')).toEqual({
    kind: 'bill',
    payeeId,
    payeeName: 'Harbor Fiber',
    memo: 'December',
  });
});
