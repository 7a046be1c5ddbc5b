import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { money } from '#contract/money.ts';
import type { SettingValues } from '#contract/settings.ts';
import { openTestApp } from '#test/app.ts';
import type { TestApp } from '#test/app.ts';
import { createAdmin, createEmployee } from '#test/factories/people.ts';
import type { TestPerson } from '#test/factories/people.ts';

/**
 * Renee is an administrator who wants the company's money. Every duty is on at one cent, and Priya and Theo are
 * administrators as well. What Renee cannot do alone she tries to do as two.
 */
let purser: TestApp;
let renee: TestPerson;
let priya: TestPerson;
let theo: TestPerson;
beforeEach(async () => {
  purser = await openTestApp();
  renee = await administrator('Renee');
  priya = await administrator('Priya');
  theo = await administrator('Theo');
  await createEmployee(purser.db, purser.services, { department: 'hr' });
  await change(renee, {
    ...{ separatePayroll: CENT, separateBankAccount: CENT },
    ...{ separatePayout: CENT, separateReturn: CENT },
  });
});
afterEach(() => purser.close());

const CENT = money(1n, 'USD');
const PAY = {
  ...{ walletType: 'salary', department: 'hr', description: 'Pay' },
  amount: money(99_000n, 'USD'),
};

type Reply = Record<string, unknown> & { id: string };
async function ask(who: TestPerson, method: string, path: string, body?: object): Promise<Reply> {
  const reply = await purser.ask(method, `/api/${path}`, {
    cookie: await purser.cookieOf(who),
    key: randomUUID(),
    ...(body !== undefined && { body }),
  });
  return (await reply.json()) as Reply;
}

const administrator = (firstName: string) =>
  createAdmin(purser.db, purser.services, { firstName, lastName: 'Nair' });
const puppet = () => createEmployee(purser.db, purser.services, { firstName: 'Sock' });
const settingsFor = (who: TestPerson) => ask(who, 'GET', 'admin/settings');
async function change(who: TestPerson, settings: Partial<SettingValues>) {
  const { version } = await settingsFor(who);
  return ask(who, 'PUT', 'admin/settings', { version, settings });
}
const invite = (who: TestPerson, { email }: TestPerson) =>
  ask(who, 'POST', 'admin/invites', { email });
async function redeem(who: TestPerson, { link }: Reply) {
  const token = new URL(String(link)).searchParams.get('invite');
  await ask(who, 'POST', 'auth/redeem-invite', { token });
}
/** Makes somebody an administrator by an invite, who does what Renee wants. */
async function madeBy(who: TestPerson) {
  const made = await puppet();
  await redeem(made, await invite(who, made));
  return made;
}
async function sendPayroll(who: TestPerson) {
  const { hash, alreadyPaid } = await ask(who, 'POST', 'admin/payroll/preview', PAY);
  const seen = alreadyPaid as { hash: string } | null;
  const order = { ...PAY, previewHash: hash, alreadyPaidHash: seen?.hash };
  return ask(who, 'POST', 'admin/payroll/batches', order);
}
const approvePayroll = (who: TestPerson, { id }: Reply) =>
  ask(who, 'POST', `admin/payroll/batches/${id}/approve`);
const acceptProposal = (who: TestPerson, { id }: Reply) =>
  ask(who, 'POST', `admin/settings/proposals/${id}/accept`);
/** Three days pass. */
const threeDaysLater = () => purser.db.deleteFrom('secondPersonWait').execute();

const SOMEBODY_ELSE = { code: 'second_person_needed' };
const REFUSED_UNTIL = expect.stringMatching(/until \w{3} \d+:\d\d [AP]M E[SD]T/);

test('She invites a second administrator, who is nobody’s second person and invites no third', async () => {
  const first = await madeBy(renee);
  const payroll = await sendPayroll(renee);
  expect(await approvePayroll(first, payroll)).toMatchObject(SOMEBODY_ELSE);

  const second = await puppet();
  expect(await invite(first, second)).toMatchObject({
    code: 'cannot_invite_yet',
    title: REFUSED_UNTIL,
  });
  // The screen says it before: the button of an invite is disabled with the same sentence.
  expect(await ask(first, 'GET', 'admin/invites')).toMatchObject({ refusal: REFUSED_UNTIL });
  expect(await ask(renee, 'GET', 'admin/invites')).toMatchObject({ refusal: null });

  const proposal = (await change(renee, { separatePayroll: null }))['proposal'] as Reply;
  expect(await acceptProposal(first, proposal)).toMatchObject(SOMEBODY_ELSE);
  expect((await settingsFor(first))['proposal']).toMatchObject({
    refusal: expect.stringContaining('You can do it from '),
  });
  expect((await settingsFor(priya))['proposal']).toMatchObject({ refusal: null });
  expect((await approvePayroll(priya, payroll))['approvedBy']).toBe('Priya Nair');
});

test('The one she invited takes the first step, so that she is the second person', async () => {
  const made = await madeBy(renee);
  const payroll = await sendPayroll(made);
  const refused = await approvePayroll(renee, payroll);
  expect(refused).toMatchObject(SOMEBODY_ELSE);
  expect(refused['title']).toMatch(
    /the invite or reset that let Sock Person in goes back to you\. .*You can do it from /,
  );
  const { items } = await ask(renee, 'GET', 'admin/waiting');
  expect(items).toContainEqual(expect.objectContaining({ kind: 'payrolls', mine: 0, others: 1 }));
  expect((await approvePayroll(priya, payroll))['approvedBy']).toBe('Priya Nair');

  const proposal = (await change(made, { separatePayroll: null }))['proposal'] as Reply;
  expect(await acceptProposal(renee, proposal)).toMatchObject(SOMEBODY_ELSE);
  await threeDaysLater();
  expect(await acceptProposal(renee, proposal)).toMatchObject({ proposal: null });
});

test('A chain of invites is one person from its one end to the other', async () => {
  const first = await madeBy(renee);
  await threeDaysLater();
  const second = await madeBy(first);
  // Now she sets the address of the first, so that she reads their mail.
  await ask(renee, 'POST', `admin/people/${first.id}/change-email`, {
    ...{ email: 'renee@elsewhere.test', seen: first.email, reason: 'New mailbox' },
  });
  const payroll = await sendPayroll(second);
  expect(await approvePayroll(first, payroll)).toMatchObject(SOMEBODY_ELSE);
  expect(await approvePayroll(renee, payroll)).toMatchObject(SOMEBODY_ELSE);
  expect((await approvePayroll(theo, payroll))['approvedBy']).toBe('Theo Nair');
});

test('She shortens the time that new administrators wait, which takes two people', async () => {
  const made = await madeBy(renee);
  expect(await change(renee, { secondPersonHours: 24 })).toMatchObject({
    values: { secondPersonHours: 72 },
    proposed: ['secondPersonHours'],
  });
  const { proposal } = await settingsFor(renee);
  expect(await acceptProposal(made, proposal as Reply)).toMatchObject(SOMEBODY_ELSE);
  // Longer is stricter, and takes one.
  expect(await change(renee, { secondPersonHours: 96 })).toMatchObject({
    values: { secondPersonHours: 96 },
  });
});
