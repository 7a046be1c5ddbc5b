import { afterAll, beforeAll, expect, it } from 'vitest';
import { sql } from 'kysely';
import { money } from '#contract/money.ts';
import { postPayroll } from '#server/modules/payroll/index.ts';
import { openTestApp } from '#test/app.ts';
import type { TestApp } from '#test/app.ts';
import { createPayee, fundedWallet } from '#test/factories/money.ts';
import type { Payee } from '#test/factories/money.ts';
import { createAdmin } from '#test/factories/people.ts';
import { draftOwnAmounts, sendDraftAsSeen } from '#test/payroll-fixture.ts';
import { runTransfers } from './run-transfers.ts';

let purser: TestApp;
let maya: Payee;
let savingsId: string;
const cookies = { maya: '', admin: '', unconfirmed: '' };
let adminId: string;

beforeAll(async () => {
  purser = await openTestApp();
  await sql`UPDATE company_settings SET payroll_cancel_seconds = 0`.execute(purser.db);
  const admin = await createAdmin(purser.db, purser.services);
  adminId = admin.id;
  maya = await createPayee(purser.db, purser.services, { admin: admin.by });
  savingsId = (await fundedWallet(purser.db, purser.services, maya.by, 0n, 'savings')).id;
  cookies.maya = await purser.cookieOf(maya.by.actor);
  cookies.unconfirmed = await purser.cookieOf(maya.by.actor, { isConfirmed: false });
  cookies.admin = await purser.cookieOf(admin);
});
afterAll(() => purser.close());

async function ask(who: keyof typeof cookies, method: string, path: string, body?: object) {
  const key = crypto.randomUUID();
  const request = { cookie: cookies[who], key, ...(body !== undefined && { body }) };
  const reply = await purser.ask(method, path, request);
  return { status: reply.status, body: (await reply.json()) as Record<string, unknown> };
}
const mine = (step = '') => `/api/automatic-transfers/${maya.wallet.id}${step}`;
const rules = () => [
  { kind: 'fixed', amount: money(500n, 'USD'), to: { kind: 'wallet', id: savingsId } },
];

it('a change takes a confirmation, and so does starting again; pausing and skipping do not', async () => {
  const change = { version: 0, rules: rules() };
  expect(await ask('unconfirmed', 'PUT', mine(), change)).toMatchObject({
    status: 403,
    body: { code: 'confirmation_needed' },
  });
  expect(await ask('maya', 'PUT', mine(), change)).toMatchObject({ body: { version: 1 } });
  expect(await ask('unconfirmed', 'POST', mine('/pause'))).toMatchObject({ status: 200 });
  expect(await ask('unconfirmed', 'POST', mine('/resume'))).toMatchObject({ status: 403 });
  expect(await ask('maya', 'POST', mine('/resume'))).toMatchObject({ body: { pausedAt: null } });
  for (const isSkipped of [true, false]) {
    expect(await ask('unconfirmed', 'POST', mine('/skip'), { isSkipped })).toMatchObject({
      body: { skipsNext: isSkipped },
    });
  }
  expect(await ask('unconfirmed', 'GET', '/api/automatic-transfers')).toMatchObject({
    body: { wallets: [{ version: 1 }, {}], targets: [{}, {}, { kind: 'bank' }] },
  });
});

it('an admin reads what followed a line, and moves it back', async () => {
  const admin = { id: adminId, role: 'admin', name: 'Renee Albright' } as const;
  const amounts = new Map([[maya.by.actor.id, 2_000n]]);
  const draft = await draftOwnAmounts(purser.db, admin, amounts);
  const { id: batchId } = await sendDraftAsSeen(purser.db, admin, draft.id);
  await postPayroll(purser.db, purser.services, batchId);
  await runTransfers(purser.db, purser.services);
  const { id } = await purser.db
    .selectFrom('payrollLine')
    .select('id')
    .where('batchId', '=', batchId)
    .executeTakeFirstOrThrow();
  const list = `/api/admin/payroll/lines/${id}/transfers`;
  const { body } = await ask('admin', 'GET', list);
  const [moved] = body['transfers'] as { id: string; amount: object }[];
  expect(moved?.amount).toEqual(money(500n, 'USD'));
  const path = `/api/admin/automatic-transfers/${moved?.id ?? ''}/take-back`;
  expect(await ask('admin', 'POST', path)).toMatchObject({ status: 200 });
  expect(await ask('admin', 'POST', path)).toMatchObject({
    body: { code: 'automatic_transfer_not_movable' },
  });
  expect(await ask('maya', 'GET', list)).toMatchObject({ status: 403 });
});
