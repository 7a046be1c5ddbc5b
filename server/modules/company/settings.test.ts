import { describe, expect, test } from 'vitest';
import { SETTING_NAMES } from '#contract/settings.ts';
import type { TestApp } from '#test/app.ts';
import { settingsFixture } from '#test/settings-fixture.ts';

let purser: TestApp;
const { cookies, ask, read, change } = settingsFixture((app) => {
  purser = app;
});

/** Changed settings in the audit trail, newest first. */
async function trail() {
  const rows = await purser.db
    .selectFrom('auditEvent')
    .select(['details', 'actorRole'])
    .where('action', '=', 'settings.updated')
    .orderBy('id', 'desc')
    .execute();
  return rows;
}

test('returns every setting, and that nobody has changed it yet', async () => {
  const settings = await read();
  expect(Object.keys(settings.values).toSorted()).toEqual([...SETTING_NAMES].toSorted());
  expect(settings).toMatchObject({
    isCurrencyFixed: true,
    canSeparateDuties: true,
    admins: { total: 2, withoutTwoFactor: ['Renee Albright', 'Theo Marchetti'] },
    nextPaydays: [],
    lastChanges: [],
    proposal: null,
  });
});

test('only admins can see and change them', async () => {
  expect((await ask('maya', 'GET')).status).toBe(403);
  expect((await ask('maya', 'PUT', { version: 0, settings: {} })).status).toBe(403);
});

test('a change is stored, in force immediately, audited, and names the admin who made it', async () => {
  const changed = await change('theo', {
    companyName: '  Tallis & Reed, Inc. ',
    timeZone: 'pst',
    payrollFrequency: 'monthly',
    payrollDay: '15',
  });
  expect(changed.body.values).toMatchObject({
    companyName: 'Tallis & Reed, Inc.',
    timeZone: 'pst',
  });
  expect(changed.body.nextPaydays).toHaveLength(3);
  for (const { on, movedFrom } of changed.body.nextPaydays) expect(movedFrom ?? on).toMatch(/-15$/);

  const { lastChanges } = await read('renee');
  expect(lastChanges.map(({ setting }) => setting).toSorted()).toEqual([
    'companyName',
    'payrollDay',
    'payrollFrequency',
    'timeZone',
  ]);
  expect(lastChanges[0]).toMatchObject({ by: 'Theo Marchetti', isMine: false });
  expect((await read('theo')).lastChanges[0]).toMatchObject({ isMine: true });

  expect((await trail())[0]).toEqual({
    actorRole: 'admin',
    details: {
      fields: ['companyName', 'timeZone', 'payrollFrequency', 'payrollDay'],
      before: ['"My company"', '"est"', '"none"', '"last"'],
      after: ['"Tallis & Reed, Inc."', '"pst"', '"monthly"', '"15"'],
    },
  });
  // The whole server reads the database: a session has the new name and zone, the ledger uses the
  // zone.
  const session = await purser.ask('GET', '/api/session', { cookie: cookies.maya });
  expect(await session.json()).toMatchObject({
    company: { name: 'Tallis & Reed, Inc.', timeZone: 'America/Los_Angeles' },
  });
  const calendar = await purser.db.selectFrom('ledgerCalendar').select('timeZone').execute();
  expect(calendar).toEqual([{ timeZone: 'America/Los_Angeles' }]);
});

test('an unchanged value leaves no audit row', async () => {
  const before = await trail();
  const { values, version } = await read();
  const same = await change('renee', { companyName: values.companyName });
  expect(same).toMatchObject({ status: 200, body: { version } });
  expect(await trail()).toEqual(before);
});

test('initial email preferences are stored, with the admin who changed them, and audited', async () => {
  const { body } = await change('theo', {
    initialEmailFrequency: 'daily',
    initialInfoNotifications: false,
  });
  expect(body.values).toMatchObject({
    initialEmailFrequency: 'daily',
    initialInfoNotifications: false,
    initialEmailEnabled: true,
    initialDepositAlerts: true,
  });
  expect((await trail())[0]?.details).toEqual({
    fields: ['initialEmailFrequency', 'initialInfoNotifications'],
    before: ['"immediate"', 'true'],
    after: ['"daily"', 'false'],
  });
  expect((await read('renee')).lastChanges).toContainEqual(
    expect.objectContaining({ setting: 'initialEmailFrequency', by: 'Theo Marchetti' }),
  );
});

describe('two concurrent admins', () => {
  test('change one setting: the second reads who changed it, and nothing is overwritten', async () => {
    const { version } = await read();
    await change('theo', { payrollCancelSeconds: 30 }, version);
    expect(
      await change(
        'renee',
        { payrollCancelSeconds: 120, supportEmail: 'hr@tallis.example' },
        version,
      ),
    ).toMatchObject({
      status: 409,
      body: {
        code: 'settings_changed',
        title: 'Theo Marchetti has changed Cancel window in the meantime. Please check it again.',
      },
    });
    expect((await read()).values).toMatchObject({ payrollCancelSeconds: 30, supportEmail: '' });
  });

  test('change two settings: both apply', async () => {
    const { version } = await read();
    await change('theo', { adminIdleMinutes: 20 }, version);
    expect((await change('renee', { employeeIdleMinutes: 90 }, version)).status).toBe(200);
    expect((await read()).values).toMatchObject({ adminIdleMinutes: 20, employeeIdleMinutes: 90 });
  });

  test('change one setting to the same value: there is no conflict', async () => {
    const { version } = await read();
    await change('theo', { adminIdleMinutes: 25 }, version);
    expect((await change('renee', { adminIdleMinutes: 25 }, version)).status).toBe(200);
  });

  test('change it in the same moment: one wins', async () => {
    const { version } = await read();
    const both = await Promise.all([
      change('theo', { payrollCancelSeconds: 40 }, version),
      change('renee', { payrollCancelSeconds: 50 }, version),
    ]);
    expect(new Set(both.map(({ status }) => status))).toEqual(new Set([200, 409]));
  });
});
