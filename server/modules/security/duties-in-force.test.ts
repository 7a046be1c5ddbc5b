import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { SettingsReply } from '#contract/api.ts';
import { DUTY_SETTINGS } from '#contract/duties.ts';
import { money } from '#contract/money.ts';
import type { SettingValues } from '#contract/settings.ts';
import { openTestApp } from '#test/app.ts';
import type { TestApp } from '#test/app.ts';
import { createAdmin, createEmployee } from '#test/factories/people.ts';
import type { TestPerson } from '#test/factories/people.ts';
import { hoursPass } from '#test/hours-pass.ts';
import { announceDuties, peopleNeeded } from './index.ts';

const HOUR_MS = 3_600_000;
const ALWAYS = money(1n, 'USD');

let purser: TestApp;
let renee: TestPerson;
let priya: TestPerson;
const cookies = { renee: '', priya: '' };
// A database each: who is an administrator is the whole company's.
beforeEach(async () => {
  purser = await openTestApp();
  renee = await createAdmin(purser.db, purser.services, {
    firstName: 'Renee',
    lastName: 'Albright',
  });
  cookies.renee = await purser.cookieOf(renee);
  const names = { firstName: 'Priya', lastName: 'Nair' };
  priya = await createEmployee(purser.db, purser.services, names);
  const { link } = await ask('renee', 'POST', '/api/admin/invites', { email: priya.email });
  const token = new URL(String(link)).searchParams.get('invite');
  cookies.priya = await purser.cookieOf(priya);
  await ask('priya', 'POST', '/api/auth/redeem-invite', { token });
  cookies.priya = await purser.cookieOf(priya);
});
afterEach(() => purser.close());

async function ask(who: keyof typeof cookies, method: string, path: string, body?: object) {
  const key = crypto.randomUUID();
  const request = { cookie: cookies[who], key, ...(body !== undefined && { body }) };
  const reply = await purser.ask(method, path, request);
  return (await reply.json()) as Record<string, unknown>;
}
const read = async () =>
  (await ask('renee', 'GET', '/api/admin/settings')) as unknown as SettingsReply;
async function change(settings: Partial<SettingValues>) {
  const { version } = await read();
  return ask('renee', 'PUT', '/api/admin/settings', { version, settings });
}
async function sendPayroll() {
  const body = {
    walletType: 'salary',
    department: 'hr',
    amount: ALWAYS,
    description: 'Pay',
  };
  const { hash, alreadyPaid } = await ask('renee', 'POST', '/api/admin/payroll/preview', body);
  const seen = alreadyPaid as { hash: string } | null;
  const order = { ...body, previewHash: hash, alreadyPaidHash: seen?.hash };
  return ask('renee', 'POST', '/api/admin/payroll/batches', order);
}
/** As if the 72 hours of everybody were over. */
const waitIsOver = () => purser.db.deleteFrom('secondPersonWait').execute();
const employee = () => createEmployee(purser.db, purser.services, { department: 'hr' });

test('comes into force when the first administrator’s invitee can be the second person', async () => {
  await employee();
  const switchedOn = (await change({ separatePayroll: ALWAYS })) as unknown as SettingsReply;
  const { inForce, second } = switchedOn.duties;
  expect([inForce, second?.name]).toEqual([[], 'Priya Nair']);
  const hours = (Date.parse(second?.from ?? '') - Date.now()) / HOUR_MS;
  expect(hours).toBeGreaterThan(71.9);
  expect(hours).toBeLessThanOrEqual(72);

  // Until then one person suffices: for a payroll, and to take the rule back.
  expect(await sendPayroll()).toMatchObject({ status: 'processing', approval: null });
  expect(await change({ separatePayroll: null })).toMatchObject({
    values: { separatePayroll: null },
    proposal: null,
  });

  await change({ separatePayroll: ALWAYS });
  await waitIsOver();
  expect((await read()).duties).toMatchObject({
    inForce: ['separatePayroll'],
    second: { from: null },
  });
  const batch = await sendPayroll();
  expect(batch).toMatchObject({
    status: 'pending',
    approval: { mayApprove: false, people: [{ name: 'Priya Nair', from: null }] },
  });
  const path = `/api/admin/payroll/batches/${String(batch['id'])}/approve`;
  expect(await ask('priya', 'POST', path)).toMatchObject({ approvedBy: 'Priya Nair' });
  expect(await change({ separatePayroll: null })).toMatchObject({
    values: { separatePayroll: ALWAYS },
  });
});

test('stays in force whoever is deactivated, and all are notified when it begins', async () => {
  await employee();
  await change({ separatePayroll: ALWAYS });
  await announceDuties(purser.db, purser.services);
  expect((await read()).duties.inForce).toEqual([]);
  await waitIsOver();
  await announceDuties(purser.db, purser.services);
  await announceDuties(purser.db, purser.services);
  const notified = await purser.db
    .selectFrom('notification')
    .select('message')
    .where('message', 'like', 'In force from now on: Payroll of at least.%')
    .execute();
  // One in each administrator's inbox.
  expect(notified).toHaveLength(2);

  await ask('renee', 'POST', `/api/admin/people/${priya.id}/deactivate`, { reason: 'Left' });
  expect((await read()).duties).toEqual({
    inForce: ['separatePayroll'],
    needed: 2,
    second: null,
  });
  expect(await sendPayroll()).toMatchObject({ status: 'pending', approval: { people: [] } });
});

test('names from when somebody can be a second person after a reset', async () => {
  await employee();
  await waitIsOver();
  await change({ separatePayroll: ALWAYS });
  const batch = await sendPayroll();
  const since = new Date('2098-12-31T14:42:00Z');
  await purser.db.insertInto('secondPersonWait').values({ userId: priya.id, since }).execute();
  const path = `/api/admin/payroll/batches/${String(batch['id'])}`;
  expect(await ask('renee', 'GET', path)).toMatchObject({
    approval: { people: [{ name: 'Priya Nair', from: '2099-01-03T14:42:00.000Z' }] },
  });
  expect(await ask('priya', 'POST', `${path}/approve`)).toMatchObject({
    code: 'second_person_needed',
    title:
      'Someone else must do this, because you cannot be a second person yet. You can do it from Sat 9:42 AM EST.',
  });
});

test('counts nobody who has to set up two-factor first', async () => {
  await waitIsOver();
  await purser.db
    .updateTable('appUser')
    .set({ twoFactorEnabled: true })
    .where('id', '=', renee.id)
    .execute();
  await purser.db.updateTable('companySettings').set({ requireAdminTwoFactor: true }).execute();
  await change({ separatePayroll: ALWAYS });
  expect((await read()).duties).toEqual({ inForce: [], needed: 2, second: null });
});

test.each([
  ['let in again', { deactivatedAt: new Date() }, 'reactivate'],
  ['had their two-factor reset', { twoFactorEnabled: true }, 'reset-two-factor'],
] as const)('somebody who was %s is nobody’s second person for 72 hours', async (_, set, act) => {
  await waitIsOver();
  await purser.db.updateTable('appUser').set(set).where('id', '=', priya.id).execute();
  await ask('renee', 'POST', `/api/admin/people/${priya.id}/${act}`, { reason: 'Lost' });
  await hoursPass(purser, 24);
  for (const { id } of (await read()).adminProposals) {
    await ask('renee', 'POST', `/api/admin/settings/proposals/${id}/accept`);
  }
  await change({ separatePayroll: ALWAYS });
  const { second } = (await read()).duties;
  expect(Date.parse(second?.from ?? '') - Date.now()).toBeGreaterThan(71 * HOUR_MS);
});

describe('a fresh company', () => {
  /** The first administrator is made on the machine itself, and each further one by an invite. */
  const invited = async () => {
    const person = await employee();
    const { link } = await ask('renee', 'POST', '/api/admin/invites', { email: person.email });
    const token = new URL(String(link)).searchParams.get('invite');
    const cookie = await purser.cookieOf(person);
    await purser.ask('POST', '/api/auth/redeem-invite', { cookie, body: { token } });
    return person;
  };
  const withoutPriya = () =>
    purser.db.updateTable('appUser').set({ role: 'employee' }).where('id', '=', priya.id).execute();
  const waitsFor = async () => (await read()).duties;

  test('works with one administrator, and separates nothing', async () => {
    await withoutPriya();
    await employee();
    expect(await change({ separatePayroll: ALWAYS })).toMatchObject({ code: 'two_admins_needed' });
    expect(await sendPayroll()).toMatchObject({ status: 'processing', approval: null });
    await invited();
  });

  test('works alone with two, one of them new, until the new one can be the second', async () => {
    await employee();
    await change({ separatePayroll: ALWAYS });
    expect(await waitsFor()).toMatchObject({ inForce: [], second: { name: 'Priya Nair' } });
    expect(await sendPayroll()).toMatchObject({ status: 'processing', approval: null });
    const risks = (await ask('renee', 'GET', '/api/admin/risks'))['items'];
    expect(risks).toContainEqual(expect.objectContaining({ kind: 'dutiesNotInForce', count: 1 }));
  });

  test('waits with three, two of them new, for the first of them, and for both where it takes three', async () => {
    await invited();
    await change({ separatePayout: ALWAYS });
    expect(await waitsFor()).toMatchObject({ needed: 2, second: { name: 'Priya Nair' } });
    await change({ separateReturn: ALWAYS });
    expect(await waitsFor()).toMatchObject({ needed: 3, second: { name: 'Test Person' } });
    await purser.db.deleteFrom('secondPersonWait').where('userId', '=', priya.id).execute();
    // One of the two is in force with two people. The other would leave nobody to book a return.
    expect((await waitsFor()).inForce).toEqual(['separatePayout']);
    await waitIsOver();
    expect((await waitsFor()).inForce).toEqual(['separatePayout', 'separateReturn']);
  });

  test('separates from the first moment with two made on the machine itself', async () => {
    await createAdmin(purser.db, purser.services, { firstName: 'Theo' });
    await change({ separatePayroll: ALWAYS });
    expect((await waitsFor()).inForce).toEqual(['separatePayroll']);
  });
});

describe('duties that too few people could carry out', () => {
  test.each([
    [2, []],
    [2, ['payroll', 'bankAccount', 'payout']],
    [2, ['payroll', 'bankAccount', 'return']],
    [3, ['payout', 'return']],
    [3, DUTY_SETTINGS],
  ] as const)('%i people are needed for %j', (needed, duties) => {
    expect(peopleNeeded(duties)).toBe(needed);
  });

  test('are refused with the number of people that they need', async () => {
    await waitIsOver();
    expect(await change({ separatePayout: ALWAYS, separateReturn: ALWAYS })).toMatchObject({
      code: 'more_admins_needed',
      title:
        'These approvals together need 3 active administrators, and there are 2. With fewer, nobody could do the last step.',
    });
    expect((await read()).values).toMatchObject({ separatePayout: null, separateReturn: null });
    await change({ separatePayout: ALWAYS });
    expect(await change({ separateReturn: ALWAYS })).toMatchObject({ code: 'more_admins_needed' });
    // One that is already on may change.
    expect(await change({ separatePayout: money(5n, 'USD') })).toMatchObject({
      proposed: ['separatePayout'],
    });
  });
});
