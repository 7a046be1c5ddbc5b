import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { PayrollDraft } from '#contract/api.ts';
import { openTestApp } from '#test/app.ts';
import type { TestApp } from '#test/app.ts';
import { createAdmin } from '#test/factories/people.ts';
import { OWN_AMOUNTS } from '#test/payroll-fixture.ts';

describe('a draft over HTTP', () => {
  let purser: TestApp;
  let cookie: string;
  beforeAll(async () => {
    purser = await openTestApp();
    const { by } = await createAdmin(purser.db, purser.services);
    cookie = await purser.cookieOf(by.actor);
  });
  afterAll(() => purser.close());
  const ask = async (method: string, path: string, body?: object) => {
    const reply = await purser.ask(method, `/api/admin/payroll/drafts${path}`, {
      cookie,
      key: randomUUID(),
      ...(body && { body }),
    });
    return { status: reply.status, json: (await reply.json()) as PayrollDraft };
  };

  it('adds a type of wallet, and takes it off again', async () => {
    const { json: whole } = await ask('POST', '', { ...OWN_AMOUNTS, startFrom: 'usual' });
    const added = await ask('POST', `/${whole.id}/wallets`, { walletType: 'irs' });
    expect(added).toMatchObject({
      status: 201,
      json: { partOf: whole.id, walletType: 'irs', startedFrom: 'usual' },
    });
    const again = await ask('POST', `/${whole.id}/wallets`, { walletType: 'irs' });
    expect(again).toMatchObject({
      status: 422,
      json: { errors: [{ path: 'walletType', message: expect.stringContaining('already') }] },
    });
    await ask('POST', `/${added.json.id}/discard`);
    expect((await ask('GET', `/${whole.id}`)).json.wallets).toHaveLength(1);
  });
});
