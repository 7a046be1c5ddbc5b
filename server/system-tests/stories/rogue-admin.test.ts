import { afterEach, beforeEach, expect, test } from 'vitest';
import type { SettingValues } from '#contract/settings.ts';
import { createAdmin, createEmployee } from '#test/factories/people.ts';
import type { TestPerson } from '#test/factories/people.ts';
import { noticesOf } from '#test/notices-of.ts';
import { expectNoWorse, expectOutcome } from '#test/story-outcome.ts';
import {
  approvePay,
  askForPayout,
  decidePayout,
  fund,
  openStory,
  sendPayroll,
  SOMEBODY_ELSE,
  waitingFor,
} from '#test/story.ts';
import type { Reply, Story } from '#test/story.ts';
import { OUTCOMES } from './outcomes.ts';
import type { Outcome } from './outcomes.ts';

/**
 * Renee is an administrator who wants the company's money. Every duty is on at one cent, and Priya and Theo are
 * administrators as well. What Renee cannot do alone she tries to do as two.
 */
let story: Story;
let renee: TestPerson;
let priya: TestPerson;
let theo: TestPerson;
let worst: Outcome;
beforeEach(async () => {
  story = await openStory();
  ({ renee, priya, theo } = story);
  await createEmployee(story.db, story.services, { department: 'hr' });
  await story.separateDuties();
  await story.begin(renee);
  worst = OUTCOMES.rogueAdmin;
});
afterEach(async () => {
  await expectNoWorse(story, worst);
  await story.close();
});

const ask: Story['ask'] = (...request) => story.ask(...request);
const puppet = () => createEmployee(story.db, story.services, { firstName: 'Sock' });
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
  story.joinThieves(made);
  await redeem(made, await invite(who, made));
  return made;
}
const payHr = (who: TestPerson) => sendPayroll(story, who, { minor: 99_000n, department: 'hr' });
const approvePayroll = (who: TestPerson, { id }: Reply) =>
  ask(who, 'POST', `admin/payroll/batches/${id}/approve`);
const acceptProposal = (who: TestPerson, { id }: Reply) =>
  ask(who, 'POST', `admin/settings/proposals/${id}/accept`);
const threeDaysLater = () => story.hoursPass(72);

const REFUSED_UNTIL = expect.stringMatching(/until \w{3} \d+:\d\d [AP]M E[SD]T/);

test('She invites a second administrator, who is nobody’s second person and invites no third', async () => {
  const first = await madeBy(renee);
  const payroll = await payHr(renee);
  const refused = await approvePayroll(first, payroll);
  expect(refused).toMatchObject(SOMEBODY_ELSE);
  expect(refused['title']).toContain('Priya Nair or Theo Nair can do it now.');
  expect((await approvePayroll(renee, payroll))['title']).toContain('Sock Person can do it from ');

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
  const payroll = await payHr(made);
  const refused = await approvePayroll(renee, payroll);
  expect(refused).toMatchObject(SOMEBODY_ELSE);
  expect(refused['title']).toMatch(
    /the invite or reset that let Sock Person in goes back to you\. .*You can do it from /,
  );
  expect(await waitingFor(story, renee)).toContainEqual(
    expect.objectContaining({ kind: 'payrolls', mine: 0, others: 1 }),
  );
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
    email: 'renee@elsewhere.test',
    seen: first.email,
    reason: 'New mailbox',
  });
  const payroll = await payHr(second);
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

/** Acts of a person on an administrator, with a reason that sounds good. */
const decide = (who: TestPerson, { id }: TestPerson, act: string) =>
  ask(who, 'POST', `admin/people/${id}/${act}`, { reason: 'Lost the phone' });
type Waits = Reply & { refusal: string | null; discardRefusal: string | null };
const waitingActs = async (who: TestPerson) =>
  (await settingsFor(who))['adminProposals'] as [Waits, Waits, Waits];
const setPerson = ({ id }: TestPerson, values: object) =>
  story.db.updateTable('appUser').set(values).where('id', '=', id).execute();
const personOf = ({ id }: TestPerson) =>
  story.db
    .selectFrom('appUser')
    .select(['role', 'deactivatedAt', 'twoFactorEnabled'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow();

test('She lets a former administrator in again, resets two-factor and takes rights: each takes another', async () => {
  const former = await createAdmin(story.db, story.services, {
    firstName: 'Gus',
    lastName: 'Nair',
  });
  await setPerson(former, { deactivatedAt: new Date() });
  await setPerson(priya, { twoFactorEnabled: true });
  for (const [person, act] of [
    [former, 'reactivate'],
    [priya, 'reset-two-factor'],
    [priya, 'revoke-admin'],
  ] as const) {
    const before = await personOf(person);
    expect(await decide(renee, person, act), act).toMatchObject({
      proposal: { opensAt: null },
    });
    expect(await personOf(person), act).toEqual(before);
  }

  const [reactivate, reset, revoke] = await waitingActs(theo);
  expect(reactivate).toMatchObject({
    act: 'reactivate',
    person: { name: 'Gus Nair' },
    reason: 'Lost the phone',
    proposedBy: 'Renee Nair',
    isMine: false,
    refusal: null,
  });
  for (const one of await waitingActs(renee)) {
    expect(one).toMatchObject({ isMine: true, refusal: expect.stringContaining('Theo Nair') });
    expect(await acceptProposal(renee, one)).toMatchObject(SOMEBODY_ELSE);
  }
  // Nobody decides on themselves, and a puppet is no other.
  expect(await acceptProposal(priya, reset)).toMatchObject({ code: 'own_account' });
  expect(await acceptProposal(await madeBy(renee), reset)).toMatchObject(SOMEBODY_ELSE);

  await acceptProposal(theo, reactivate);
  expect(await personOf(former)).toMatchObject({ deactivatedAt: null });
  // The person they let in is nobody's second person, and not one for either of them.
  const payroll = await payHr(renee);
  expect(await approvePayroll(former, payroll)).toMatchObject(SOMEBODY_ELSE);
  const theirs = await payHr(former);
  for (const who of [renee, theo]) {
    expect(await approvePayroll(who, theirs)).toMatchObject(SOMEBODY_ELSE);
  }
  // Everybody may say no, of which all are notified, but not the person it is about while there is another one.
  const sayNo = (who: TestPerson, { id }: Waits) =>
    ask(who, 'POST', `admin/settings/proposals/${id}/discard`);
  const [ofPriya] = await waitingActs(priya);
  expect(ofPriya.discardRefusal).toContain('Another administrator');
  expect(await sayNo(priya, reset)).toMatchObject({ code: 'own_account' });
  await sayNo(theo, reset);
  await sayNo(theo, revoke);
  const words =
    'Theo Nair discarded what Renee Nair proposed: to turn off the two-factor of Priya Nair.';
  expect(await noticesOf(story.db, renee.id, 'proposal-discarded')).toContainEqual(
    expect.stringContaining(words),
  );
  expect(await waitingActs(renee)).toEqual([]);
  expect(await personOf(priya)).toMatchObject({ role: 'admin', twoFactorEnabled: true });
});

test('A company of two administrators makes her wait for a day, and the other one is mailed and says no', async () => {
  await setPerson(theo, { role: 'employee' });
  await setPerson(priya, { twoFactorEnabled: true });
  const { proposal } = await decide(renee, priya, 'reset-two-factor');
  const { opensAt } = proposal as { opensAt: string };
  expect(Date.parse(opensAt) - Date.now()).toBeGreaterThan(23.9 * 3_600_000);
  const [mine] = await waitingActs(renee);
  expect(mine.refusal).toMatch(/You can do it from \w{3} \d+:\d\d [AP]M E[SD]T\.$/);
  expect(await acceptProposal(renee, mine)).toMatchObject(SOMEBODY_ELSE);
  const mailed = await story.db
    .selectFrom('notification')
    .select(['userId', 'message'])
    .where('kind', '=', 'admin-change-proposed')
    .execute();
  expect(mailed.map(({ userId }) => userId).toSorted()).toEqual([priya.id, renee.id].toSorted());
  expect(mailed[0]?.message).toContain('Renee Nair');

  await ask(priya, 'POST', `admin/settings/proposals/${mine.id}/discard`);
  await decide(renee, priya, 'reset-two-factor');
  const [again] = await waitingActs(renee);
  await story.hoursPass(24);
  expect(await acceptProposal(renee, again)).toMatchObject({ adminProposals: [] });
  expect(await personOf(priya)).toMatchObject({ twoFactorEnabled: false });
  // Priya is nobody's second person now, whoever signs in as her.
  expect(await approvePayroll(priya, await payHr(renee))).toMatchObject(SOMEBODY_ELSE);
});

test('In one afternoon she tries all of it, takes nothing, and every administrator has mail about it', async () => {
  const accomplice = await story.employee();
  await story.begin(accomplice);
  const made = await madeBy(renee);
  await setPerson(priya, { twoFactorEnabled: true });
  await decide(renee, priya, 'reset-two-factor');
  await decide(renee, theo, 'revoke-admin');
  const { proposal } = await change(renee, { separatePayroll: null, secondPersonHours: 24 });
  expect(await acceptProposal(renee, proposal as Reply)).toMatchObject(SOMEBODY_ELSE);
  expect(await waitingFor(story, theo)).toContainEqual(
    expect.objectContaining({ kind: 'securityRules', mine: 2, others: 1 }),
  );
  const funding = await fund(story, made, accomplice, 99_000n);
  expect(await approvePay(story, renee, funding)).toMatchObject(SOMEBODY_ELSE);
  await expectOutcome(story, OUTCOMES.rogueAdmin);
});

test('She deactivates the others, and is still one person', async () => {
  for (const other of [priya, theo]) await decide(renee, other, 'deactivate');
  expect(await approvePayroll(renee, await payHr(renee))).toMatchObject(SOMEBODY_ELSE);
  expect(await change(renee, { separatePayroll: null })).toMatchObject({
    proposed: ['separatePayroll'],
  });
  expect(await decide(renee, priya, 'reactivate')).toMatchObject({
    proposal: { opensAt: expect.any(String) },
  });
});

test('She deactivates the others and waits for three days: what is left', async () => {
  const accomplice = await story.employee();
  await story.begin(accomplice);
  for (const other of [priya, theo]) await decide(renee, other, 'deactivate');
  const made = await madeBy(renee);
  await threeDaysLater();
  worst = OUTCOMES.rogueAdminWhoWaits;
  const pay = worst.leftMinor;
  await approvePay(story, made, await fund(story, renee, accomplice, pay));
  const payout = await askForPayout(story, accomplice, pay);
  await decidePayout(story, renee, payout, 'approve');
  await decidePayout(story, made, payout, 'start-processing');
  await decidePayout(story, made, payout, 'complete');
  await expectOutcome(story, worst);
});
