import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { PayoutFile, RouteReply } from '#contract/api.ts';
import { createPayee, withdrawalIn } from '#test/factories/money.ts';
import { createPersonBy } from '#test/factories/people.ts';
import { openTestApp } from '#test/app.ts';
import type { TestApp } from '#test/app.ts';

let purser: TestApp;
let cookie: string;
let withdrawalId: string;
let keys = 0;

beforeAll(async () => {
  purser = await openTestApp();
  const { db, services } = purser;
  const admin = await createPersonBy(db, { role: 'admin' });
  cookie = await purser.cookieOf(admin.actor, { isConfirmed: true });
  await db
    .updateTable('companySettings')
    .set({
      ...{ payoutCoolingHours: 0, payoutFormat: 'nacha', payoutBankName: 'Northgate' },
      ...{ payoutRoutingNumber: '084207311', payoutAccountNumber: '00964410' },
      payoutCompanyId: '1912345678',
    })
    .execute();
  const payee = await createPayee(db, services, { admin });
  withdrawalId = (await withdrawalIn(db, services, { payee, admin, status: 'approved' })).id;
});
afterAll(() => purser.close());

async function ask<Reply>(method: string, path: string, body?: unknown): Promise<Reply> {
  keys += 1;
  const request = { cookie, key: `payout-${keys}`, ...(body !== undefined && { body }) };
  const response = await purser.ask(method, `/api/admin/payouts${path}`, request);
  expect(response.status, await response.clone().text()).toBe(200);
  return (await response.json()) as Reply;
}

describe('a payout file over HTTP', () => {
  it('is made, given out twice, sent and settled', async () => {
    const before = await ask<RouteReply<'adminGetPayouts'>>('GET', '');
    expect(before).toMatchObject({ hasFiles: true, bankLast4: '4410', files: [] });
    expect(before.ready.map(({ id }) => id)).toEqual([withdrawalId]);
    const make = () => ask<PayoutFile>('POST', '', { withdrawalIds: [withdrawalId], billIds: [] });
    const called = await make();
    await ask('POST', `/${called.id}/cancel`);
    const { id, number } = await make();
    const first = await ask<{ content: string }>('POST', `/${id}/download`);
    expect(first.content).toMatch(/^101 /);
    const reason = 'The copy was lost';
    expect(await ask('POST', `/${id}/download-again`, { reason })).toMatchObject({
      content: first.content,
    });
    await ask('POST', `/${id}/send`);
    await ask('POST', `/${id}/settle`, { bankReference: 'NG-1' });
    const file = await ask<RouteReply<'adminGetPayoutFile'>>('GET', `/${number}`);
    expect(file).toMatchObject({ status: 'settled', bankReference: 'NG-1', acts: [] });
    expect(file.entries).toMatchObject([{ id: withdrawalId, status: 'completed' }]);
    expect(file.history.map(({ status }) => status)).toEqual([
      ...['prepared', 'downloaded', 'sent', 'settled'],
    ]);
  });
});
