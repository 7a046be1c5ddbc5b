import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { SettingsReply } from '#contract/api.ts';
import { money } from '#contract/money.ts';
import { SETTING_NAMES, SETTINGS } from '#contract/settings.ts';
import { withTx } from '#server/db/tx.ts';
import { proposedValues } from '#server/modules/security/index.ts';
import { updateSettings } from '#server/modules/settings/index.ts';
import { openTestApp } from '#test/app.ts';
import type { TestApp } from '#test/app.ts';
import { createAdmin, createEmployee } from '#test/factories/people.ts';

let purser: TestApp;
const cookies = { renee: '', theo: '', maya: '' };
type Who = keyof typeof cookies;

beforeAll(async () => {
  purser = await openTestApp();
  const admin = (firstName: string, lastName: string) =>
    createAdmin(purser.db, purser.services, { firstName, lastName });
  cookies.renee = await purser.cookieOf(await admin('Renee', 'Albright'));
  cookies.theo = await purser.cookieOf(await admin('Theo', 'Marchetti'));
  cookies.maya = await purser.cookieOf(await createEmployee(purser.db, purser.services));
});
afterAll(() => purser.close());

async function ask(who: Who, method: string, body?: object) {
  const response = await purser.ask(method, '/api/admin/settings', {
    cookie: cookies[who],
    ...(body !== undefined && { body }),
  });
  return { status: response.status, body: (await response.json()) as SettingsReply };
}
const read = async (who: Who = 'renee') => (await ask(who, 'GET')).body;
const change = async (who: Who, settings: object, version?: number) =>
  ask(who, 'PUT', { version: version ?? (await read()).version, settings });

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
    ...['companyName', 'payrollDay', 'payrollFrequency', 'timeZone'],
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
    ...{ initialEmailFrequency: 'daily', initialInfoNotifications: false },
  });
  expect(body.values).toMatchObject({
    ...{ initialEmailFrequency: 'daily', initialInfoNotifications: false },
    ...{ initialEmailEnabled: true, initialDepositAlerts: true },
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

const usd = (minor: string) => ({ minor, currency: 'USD' });

describe('refuses hostile values, and changes nothing', () => {
  test.each([
    [{ kycMinAgeYears: -1 }, 'settings.kycMinAgeYears', SETTINGS.kycMinAgeYears.rule.problem],
    [
      { secondPersonHours: 23 },
      'settings.secondPersonHours',
      SETTINGS.secondPersonHours.rule.problem,
    ],
    [{ kycMinAgeYears: 18.5 }, 'settings.kycMinAgeYears', SETTINGS.kycMinAgeYears.rule.problem],
    [{ kycRetentionDays: 0 }, 'settings.kycRetentionDays', SETTINGS.kycRetentionDays.rule.problem],
    [
      { kycRetentionDays: null },
      'settings.kycRetentionDays',
      SETTINGS.kycRetentionDays.rule.problem,
    ],
    [
      { payrollLineLimit: usd('1000000000000000000') },
      'settings.payrollLineLimit.minor',
      'Please enter a valid amount',
    ],
    [
      { payrollBatchLimit: usd('0') },
      'settings.payrollBatchLimit.minor',
      'Please enter a valid amount',
    ],
    [
      { payrollBatchLimit: usd('-5') },
      'settings.payrollBatchLimit.minor',
      'Please enter a valid amount',
    ],
    [
      { separatePayout: usd('1e9') },
      'settings.separatePayout.minor',
      'Please enter a valid amount',
    ],
    [
      { adminIdleMinutes: 1e9 },
      'settings.adminIdleMinutes',
      SETTINGS.adminIdleMinutes.rule.problem,
    ],
    [{ companyName: ' ' }, 'settings.companyName', 'Enter the company name'],
    [
      { companyName: 'a\u202Eb' },
      'settings.companyName',
      'Use plain text on one line. Remove the invisible character U+202E.',
    ],
    [{ supportEmail: 'payroll' }, 'settings.supportEmail', 'Enter a valid email address'],
    [{ mailingAddress: 'x'.repeat(301) }, 'settings.mailingAddress', 'Use at most 300 characters'],
    [
      { cardPaymentPage: 'javascript:alert(1)' },
      'settings.cardPaymentPage',
      'Enter an address that begins with https://',
    ],
    [
      { cardPaymentPage: 'https://user@pay.example.com' },
      'settings.cardPaymentPage',
      'Enter an address that begins with https://',
    ],
    [
      { receivingBankName: 'First Bank' },
      'settings.receivingBankAddress',
      'Enter the bank’s address',
    ],
    [
      { receivingRoutingNumber: '084207311' },
      'settings.receivingAccountNumber',
      'Enter the account number',
    ],
    [
      { receivingAccountNumber: '4400128865' },
      'settings.receivingRoutingNumber',
      'Enter the routing number',
    ],
    [
      { receivingRoutingNumber: '084207316', receivingAccountNumber: '4400128865' },
      'settings.receivingRoutingNumber',
      'Enter a valid 9-digit routing number',
    ],
    [
      { receivingRoutingNumber: '084207311', receivingAccountNumber: '12' },
      'settings.receivingAccountNumber',
      'Enter an account number of 4 to 17 digits',
    ],
    [
      { joinDomains: ['not a domain'] },
      'settings.joinDomains.0',
      'Enter a domain such as example.com',
    ],
    [{ legalName: 'x'.repeat(81) }, 'settings.legalName', 'Use at most 80 characters'],
    [{ payrollFrequency: 'biweekly' }, 'settings.payrollFirstPayday', 'Enter the first payday'],
    [{ joinPolicy: 'domains' }, 'settings.joinDomains', 'Please fill in all required fields'],
    ...['prenote', 'micro_deposits'].map((bankAccountProof): [object, string, string] => [
      { bankAccountProof },
      'settings.bankAccountProof',
      'Prenotes and micro-deposits need payout files in the format NACHA ACH',
    ]),
  ])('%j', async (settings, path, message) => {
    const before = await read();
    expect(await change('renee', settings)).toMatchObject({
      status: 422,
      body: { errors: expect.arrayContaining([{ path, message }]) },
    });
    expect(await read()).toEqual(before);
  });

  test.each([
    { timeZone: 'Mars/Base' },
    { timeZone: 'America/New_York' },
    { joinPolicy: 'nobody' },
    { payrollDay: '32' },
    { payrollDays: '1_16' },
    { payrollFirstPayday: '12/11/2026' },
    { payrollFirstPayday: '2026-02-30' },
    { paydayMoves: 'never' },
    { requireAdminTwoFactor: 'yes' },
    { initialEmailFrequency: 'hourly' },
    { initialDepositAlerts: 'no' },
    { currency: 'CHF' },
    // The server's own columns cannot be set by an admin.
    { demo: 'none' },
    { payoutsStoppedAt: null },
    { routingNumber: '000000000' },
  ])('%j', async (settings) => {
    const before = await read();
    expect((await change('renee', settings)).status).toBe(422);
    expect(await read()).toEqual(before);
  });

  test('an amount in another currency than the company’s', async () => {
    const settings = { payrollLineLimit: { minor: '500', currency: 'EUR' } };
    expect(await change('renee', settings)).toMatchObject({ body: { code: 'amount_invalid' } });
  });
});

describe('while duties are separated', () => {
  beforeEach(async () => {
    await withTx(purser.db, (tx) =>
      updateSettings(
        tx,
        purser.services,
        { actor: 'system' },
        {
          ...{ separatePayoutMinor: 1n, requireApprovedIdentity: true, payoutCoolingHours: 24 },
        },
      ),
    );
  });

  test('a loosening change waits, and the rest of the same request applies immediately', async () => {
    const settings = {
      ...{ requireApprovedIdentity: false, stopPayoutsWhenUnsound: false, payoutCoolingHours: 0 },
      kycMinAgeYears: 21,
    };
    const { body } = await change('renee', settings);
    expect(body).toMatchObject({
      values: { requireApprovedIdentity: true, payoutCoolingHours: 24, kycMinAgeYears: 21 },
      proposed: ['requireApprovedIdentity', 'payoutCoolingHours', 'stopPayoutsWhenUnsound'],
    });
    const accept = await purser.ask(
      'POST',
      `/api/admin/settings/proposals/${String(body.proposal?.id)}/accept`,
      { cookie: cookies.theo },
    );
    expect(await accept.json()).toMatchObject({
      values: { requireApprovedIdentity: false, stopPayoutsWhenUnsound: false },
      proposal: null,
    });
  });

  test('changing the account for deposits takes two admins, and one can remove it', async () => {
    const numbers = {
      receivingRoutingNumber: '084-207-311',
      receivingAccountNumber: '4400 128865',
    };
    const kept = { receivingRoutingNumber: '084207311', receivingAccountNumber: '4400128865' };
    const none = { receivingRoutingNumber: '', receivingAccountNumber: '' };
    const { body } = await change('renee', numbers);
    expect(body).toMatchObject({ values: none, proposal: { settings: kept } });
    const accept = await purser.ask(
      'POST',
      `/api/admin/settings/proposals/${String(body.proposal?.id)}/accept`,
      { cookie: cookies.theo },
    );
    expect(await accept.json()).toMatchObject({ values: kept, proposal: null });
    const other = await change('renee', { receivingAccountNumber: '4400128866' });
    expect(other.body).toMatchObject({ values: kept, proposed: ['receivingAccountNumber'] });
    expect((await change('renee', none)).body).toMatchObject({ values: none, proposed: [] });
  });

  test('is not accepted if a setting was changed since the proposal', async () => {
    const { body } = await change('renee', { payoutCoolingHours: 0 });
    await change('theo', { payoutCoolingHours: 48 });
    const accept = await purser.ask(
      'POST',
      `/api/admin/settings/proposals/${String(body.proposal?.id)}/accept`,
      { cookie: cookies.theo },
    );
    expect(await accept.json()).toMatchObject({ code: 'settings_changed' });
    expect((await read()).values.payoutCoolingHours).toBe(48);
  });

  test('another proposal takes the place of the one that waits, of which all admins are mailed', async () => {
    await withTx(purser.db, (tx) =>
      updateSettings(tx, purser.services, { actor: 'system' }, { payoutCoolingHours: 24 }),
    );
    const recorded = async ({ body }: Awaited<ReturnType<typeof change>>) =>
      purser.db
        .selectFrom('auditEvent')
        .innerJoin('appUser', 'appUser.id', 'actorId')
        .select(['action', 'name'])
        .where('subjectId', '=', body.proposal?.id ?? '')
        .orderBy('auditEvent.id')
        .execute();
    const notices = async () => {
      const rows = await purser.db
        .selectFrom('notification')
        .select('message')
        .where('kind', '=', 'proposal-discarded')
        .where('message', 'like', 'Theo Marchetti%')
        .execute();
      return rows.map(({ message }) => message);
    };
    const ofRenee = await change('renee', { payoutCoolingHours: 0 });
    const ofTheo = await change('theo', { payoutCoolingHours: 1 });
    expect(await recorded(ofRenee)).toEqual([
      { action: 'settings.proposed', name: 'Renee Albright' },
      { action: 'settings.discarded', name: 'Theo Marchetti' },
    ]);
    const words = `Theo Marchetti discarded what Renee Albright proposed: to change ${SETTINGS.payoutCoolingHours.label}. Nothing was changed.`;
    expect(await notices()).toEqual([words, words]);
    // Nobody needs to hear of what its own proposer replaces.
    await change('theo', { payoutCoolingHours: 2 });
    expect(await recorded(ofTheo)).toEqual([
      { action: 'settings.proposed', name: 'Theo Marchetti' },
      { action: 'settings.discarded', name: 'Theo Marchetti' },
    ]);
    expect(await notices()).toHaveLength(2);
  });

  test('raising limits takes two admins, and lowering them takes one', async () => {
    const { values } = await read();
    const lower = money(BigInt(values.payrollLineLimit.minor) - 1n, 'USD');
    expect((await change('renee', { payrollLineLimit: lower })).body).toMatchObject({
      values: { payrollLineLimit: lower },
    });
    expect(
      (await change('renee', { payrollLineLimit: values.payrollLineLimit })).body,
    ).toMatchObject({ values: { payrollLineLimit: lower }, proposed: ['payrollLineLimit'] });
  });
});

test('a stored proposal has no values but those of settings', () => {
  const stored = { payrollCancelSeconds: 30, payoutsStoppedAt: '2026-01-01', formerSetting: true };
  expect(proposedValues(stored)).toEqual({ payrollCancelSeconds: 30 });
});
