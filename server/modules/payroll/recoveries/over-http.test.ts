import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Recovery } from '#contract/api.ts';
import { money } from '#contract/money.ts';
import { openTestApp } from '#test/app.ts';
import type { TestApp } from '#test/app.ts';
import { createPayee } from '#test/factories/money.ts';
import type { Payee } from '#test/factories/money.ts';
import { createAdmin } from '#test/factories/people.ts';
import { fundAsSeen } from '#test/factories/payroll.ts';

let purser: TestApp;
let maya: Payee;
let cookies: { admin: string; maya: string };
let fund: () => Promise<string>;

beforeAll(async () => {
  purser = await openTestApp();
  const { db, services } = purser;
  const { by: admin } = await createAdmin(db, services);
  maya = await createPayee(db, services, { admin });
  cookies = {
    admin: await purser.cookieOf(admin.actor),
    maya: await purser.cookieOf(maya.by.actor),
  };
  fund = async () => {
    const batch = await fundAsSeen(db, services, admin, {
      id: maya.by.actor.id,
      type: 'bonus',
      walletId: maya.wallet.id,
      description: 'Twice',
      amount: money(50_000n, 'USD'),
    });
    const line = await db
      .selectFrom('payrollLine')
      .select('id')
      .where('batchId', '=', batch.id)
      .executeTakeFirstOrThrow();
    return line.id;
  };
});
afterAll(() => purser.close());

async function send(path: string, cookie: string, body?: object): Promise<Recovery> {
  const reply = await purser.ask('POST', path, {
    cookie,
    key: randomUUID(),
    ...(body && { body }),
  });
  const json = (await reply.json()) as Recovery;
  expect([reply.status, json]).toEqual([path.endsWith('/recovery') ? 201 : 200, expect.anything()]);
  return json;
}

async function propose(): Promise<Recovery> {
  const today = new Date().toISOString().slice(0, 10);
  const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
  return send(`/api/admin/payroll/lines/${await fund()}/recovery`, cookies.admin, {
    now: money(20_000n, 'USD'),
    left: money(50_000n, 'USD'),
    percent: 25,
    instalment: money(15_000n, 'USD'),
    startsOn: tomorrow > today ? tomorrow : today,
    answerBy: tomorrow,
    reason: 'paid_twice',
    message: 'Paid twice.',
  });
}

test('a recovery is proposed, accepted and ended, or declined, over HTTP', async () => {
  const one = await propose();
  expect(one).toMatchObject({ status: 'proposed', left: money(30_000n, 'USD') });
  const accepted = await send(`/api/recoveries/${one.id}/accept`, cookies.maya);
  expect(accepted).toMatchObject({ status: 'accepted', acts: [] });
  const reason = { reason: 'Forgiven.' };
  const ended = await send(`/api/admin/recoveries/${one.id}/end`, cookies.admin, reason);
  expect(ended).toMatchObject({ status: 'ended', ended: reason });

  const two = await propose();
  await send(`/api/recoveries/${two.id}/decline`, cookies.maya);

  const own = await purser.ask('GET', '/api/recoveries', { cookie: cookies.maya });
  const { recoveries } = (await own.json()) as { recoveries: Recovery[] };
  expect(recoveries.map(({ status }) => status)).toEqual(['declined', 'ended']);
  const path = `/api/admin/employees/${maya.by.actor.id}/recoveries`;
  const shown = await purser.ask('GET', path, { cookie: cookies.admin });
  expect(((await shown.json()) as { recoveries: Recovery[] }).recoveries).toHaveLength(2);
});
