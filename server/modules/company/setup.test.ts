import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { AdminDashboard, SetupReply } from '#contract/api.ts';
import { SETUP_STEPS } from '#contract/company-setup.ts';
import type { SetupStepOutcome } from '#contract/company-setup.ts';
import { withTx } from '#server/db/tx.ts';
import { readSettings } from '#server/modules/settings/index.ts';
import { openTestApp } from '#test/app.ts';
import type { TestApp } from '#test/app.ts';
import { createPerson } from '#test/factories/people.ts';
import { skipTwoFactor } from './skip-two-factor.ts';

let purser: TestApp;
const cookies = { renee: '', theo: '', maya: '' };
type Who = keyof typeof cookies;

beforeEach(async () => {
  purser = await openTestApp();
  const person = async (role: 'admin' | 'employee', firstName: string) =>
    purser.cookieOf(await createPerson(purser.db, { role, firstName, lastName: 'Reed' }));
  cookies.renee = await person('admin', 'Renee');
  cookies.theo = await person('admin', 'Theo');
  cookies.maya = await person('employee', 'Maya');
});
afterEach(() => purser.close());

async function ask(who: Who, method: string, path = '', body?: object) {
  const response = await purser.ask(method, `/api/admin/company-setup${path}`, {
    cookie: cookies[who],
    ...(body !== undefined && { body }),
  });
  return { status: response.status, body: (await response.json()) as SetupReply };
}
const decide = (who: Who, step: string, outcome: SetupStepOutcome = 'done') =>
  ask(who, 'POST', '/steps', { step, outcome });

async function setupOnDashboard() {
  const response = await purser.ask('GET', '/api/admin/dashboard', { cookie: cookies.theo });
  return ((await response.json()) as AdminDashboard).setup;
}

async function trail() {
  const rows = await purser.db
    .selectFrom('auditEvent')
    .select(['action', 'details'])
    .where('action', 'like', 'setup.%')
    .orderBy('id')
    .execute();
  return rows.map(({ action, details }) => [action, details]);
}

test('is open in a new company, and continues where any admin left it', async () => {
  expect((await ask('renee', 'GET')).body).toEqual({
    outcome: null,
    endedBy: null,
    steps: SETUP_STEPS.map((step) => ({ step, outcome: null, by: null })),
  });
  expect(await setupOnDashboard()).toEqual({ decided: 0 });
  await decide('renee', 'company');
  await decide('renee', 'time', 'skipped');
  const { steps } = (await ask('theo', 'GET')).body;
  expect(steps.slice(0, 3)).toEqual([
    { step: 'company', outcome: 'done', by: 'Renee Reed' },
    { step: 'time', outcome: 'skipped', by: 'Renee Reed' },
    { step: 'payday', outcome: null, by: null },
  ]);
  expect(await setupOnDashboard()).toEqual({ decided: 2 });
  expect(await trail()).toEqual([
    ['setup.step_done', { step: 'company' }],
    ['setup.step_skipped', { step: 'time' }],
  ]);
});

test('a done step stays done; a skipped one can be done later', async () => {
  await decide('renee', 'payday');
  const { body } = await decide('theo', 'payday', 'skipped');
  expect(body.steps[2]).toEqual({ step: 'payday', outcome: 'done', by: 'Renee Reed' });
  await decide('renee', 'joining', 'skipped');
  const joined = (await decide('theo', 'joining')).body.steps[4];
  expect(joined).toEqual({ step: 'joining', outcome: 'done', by: 'Theo Reed' });
  await decide('renee', 'joining');
  expect((await trail()).map(([action]) => action)).toEqual([
    'setup.step_done',
    'setup.step_skipped',
    'setup.step_done',
  ]);
});

test('ends with its last step, also of two concurrent admins, and then stays as it is', async () => {
  const [last = 'company', next = 'company', ...others] = SETUP_STEPS.toReversed();
  for (const step of others) await decide('renee', step);
  const both = await Promise.all([decide('renee', next), decide('theo', last, 'skipped')]);
  expect(both.map(({ status }) => status)).toEqual([200, 200]);
  const after = (await ask('renee', 'GET')).body;
  expect(after.outcome).toBe('finished');
  expect((await trail()).filter(([action]) => action === 'setup.finished')).toHaveLength(1);
  expect(await setupOnDashboard()).toBeNull();

  expect(await decide('theo', 'company', 'skipped')).toMatchObject({
    status: 409,
    body: { code: 'setup_ended' },
  });
  expect((await ask('renee', 'GET')).body).toEqual(after);
});

test('one of two admins dismisses it for all', async () => {
  const both = await Promise.all([
    ask('renee', 'POST', '/dismiss'),
    ask('theo', 'POST', '/dismiss'),
  ]);
  expect(new Set(both.map(({ status }) => status))).toEqual(new Set([200, 409]));
  const { outcome, endedBy } = (await ask('theo', 'GET')).body;
  expect(outcome).toBe('dismissed');
  const refused = both.find(({ status }) => status === 409);
  expect(refused?.body).toMatchObject({
    title: `${String(endedBy)} has ended the set-up. You can change everything in Settings.`,
  });
  expect(await trail()).toEqual([['setup.dismissed', {}]]);
});

test('is closed to employees, and refuses unknown steps', async () => {
  expect((await ask('maya', 'GET')).status).toBe(403);
  expect((await decide('maya', 'company')).status).toBe(403);
  expect((await ask('maya', 'POST', '/dismiss')).status).toBe(403);
  expect((await decide('renee', 'taxes')).status).toBe(422);
  expect(await trail()).toEqual([]);
});

describe('the two-factor that a new company requires of its administrators', () => {
  const REFUSED = { status: 403, body: { code: 'two_factor_required' } };
  const skip = (who: Who) => ask(who, 'POST', '/skip-two-factor');
  const isRequired = async () => (await readSettings(purser.db)).requireAdminTwoFactor;
  const session = async () =>
    (await purser.ask('GET', '/api/session', { cookie: cookies.renee })).json();
  beforeEach(async () => {
    await purser.db.updateTable('companySettings').set({ requireAdminTwoFactor: true }).execute();
  });
  const leaveReneeAlone = () =>
    purser.db
      .updateTable('appUser')
      .set({ deactivatedAt: new Date() })
      .where('firstName', '=', 'Theo')
      .execute();

  test('is skipped by the only one, which is recorded and mailed', async () => {
    await leaveReneeAlone();
    expect(await ask('renee', 'GET')).toMatchObject(REFUSED);
    expect(await session()).toMatchObject({ mustSetUpTwoFactor: true, maySkipTwoFactor: true });
    expect((await skip('renee')).body).toEqual({ ok: true });
    expect(await isRequired()).toBe(false);
    expect(await session()).toMatchObject({ mustSetUpTwoFactor: false, maySkipTwoFactor: false });
    expect((await ask('renee', 'GET')).status).toBe(200);
    const recorded = await purser.db
      .selectFrom('auditEvent')
      .select(['actorRole', 'details'])
      .where('action', 'like', 'settings%')
      .executeTakeFirstOrThrow();
    expect(recorded).toMatchObject({
      actorRole: 'admin',
      details: { fields: ['requireAdminTwoFactor'], before: ['true'], after: ['false'] },
    });
    const notified = await purser.db.selectFrom('notification').select('message').execute();
    expect(notified).toEqual([
      { message: expect.stringContaining('Two-factor for administrators') },
    ]);
  });

  test('is skipped by nobody while there is another', async () => {
    expect(await session()).toMatchObject({ mustSetUpTwoFactor: true, maySkipTwoFactor: false });
    expect(await skip('renee')).toMatchObject(REFUSED);
    expect(await isRequired()).toBe(true);
  });

  test('is skipped by nobody in production, nor by a session that did not confirm', async () => {
    await leaveReneeAlone();
    const renee = await purser.db
      .selectFrom('appUser')
      .select(['id', 'name'])
      .where('firstName', '=', 'Renee')
      .executeTakeFirstOrThrow();
    const by = { actor: { ...renee, role: 'admin' as const } };
    const skipping = withTx(purser.db, (tx) =>
      skipTwoFactor(tx, { ...purser.services, isProduction: true }, by),
    );
    await expect(skipping).rejects.toMatchObject({ code: 'two_factor_required' });
    cookies.renee = await purser.cookieOf(renee, { isConfirmed: false });
    expect(await skip('renee')).toMatchObject({ body: { code: 'confirmation_needed' } });
    expect(await isRequired()).toBe(true);
  });
});
