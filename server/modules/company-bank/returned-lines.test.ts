import { afterAll, beforeAll, expect, it } from 'vitest';
import { openTestApp } from '#test/app.ts';
import type { TestApp } from '#test/app.ts';
import { BankDesk } from '#test/bank-desk.ts';
import { AMOUNT } from '#test/factories/payouts.ts';
import { createAdmin } from '#test/factories/people.ts';
import { returnOf, returnSteps } from '#test/factories/returned-payouts.ts';

let app: TestApp;
let desk: BankDesk;
let steps: ReturnType<typeof returnSteps>;

beforeAll(async () => {
  app = await openTestApp();
  const renee = await createAdmin(app.db, app.services, { firstName: 'Renee' });
  const theo = await createAdmin(app.db, app.services, { firstName: 'Theo' });
  desk = new BankDesk(app, await app.cookieOf(renee, { isConfirmed: true }));
  steps = returnSteps(app.db, app.services, { admin: renee.by, other: theo.by });
  await steps.enterBank();
  await desk.addAccount('DE89370400440532013000');
  await desk.book([['Opening', 1n]]);
});
afterAll(() => app.close());

it('matches the line of a return by the trace number of its payment, and by our reference', async () => {
  const payments = await steps.sent(3);
  const number = payments[0]?.number;
  await desk.book([[`ACH SETTLEMENT ${number}`, -3n * AMOUNT]]);
  await steps.book(payments.map((payment) => returnOf(payment)));
  const [byTrace, byReference, byNothing] = payments;
  const traces = [`ACH RETURN ${byTrace?.trace}`, `ACH RETURN ${byReference?.reference}`];
  const rows = [...traces, 'ACH RETURN R03'].map((text) => [text, AMOUNT] as const);
  expect(await desk.book(rows)).toMatchObject({ matched: 2 });
  const open = await desk.open('ACH RETURN R03');
  expect(open.suggestion?.item.itemId).toBe(byNothing?.id);
  await desk.match(open, [{ kind: 'return', itemId: byNothing?.id, minor: String(AMOUNT) }]);
  const { onItsWay } = (await desk.bank()).position;
  expect(onItsWay?.groups.map(({ group }) => group)).not.toContain('payouts');
});

it('leaves the line of another amount to a person, whatever trace number it has', async () => {
  const payment = await steps.sentOne();
  await desk.book([[`ACH SETTLEMENT ${payment.number}`, -AMOUNT]]);
  await steps.book([returnOf(payment)]);
  const text = `ACH RETURN ${payment.trace}`;
  expect(await desk.book([[text, AMOUNT - 1n]])).toMatchObject({ matched: 0 });
  expect((await desk.open(text)).suggestion).toBeNull();
});
