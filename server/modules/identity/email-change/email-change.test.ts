import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { ROUTES } from '#contract/routes/all.ts';
import { withTx } from '#server/db/tx.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { newId } from '#server/lib/ids.ts';
import { createTestIdentity } from '#test/factories/identity.ts';
import {
  createAdmin,
  createEmployee,
  signInCookie,
  TEST_PASSWORD,
} from '#test/factories/people.ts';
import { createTestServices } from '#test/factories/services.ts';
import { noticesOf } from '#test/notices-of.ts';
import { expectOneWins } from '#test/one-wins.ts';
import { openTestDb } from '#test/open-db.ts';
import type { TestDb } from '#test/open-db.ts';
import { expectSoundBooks } from '#test/sound-books.ts';
import { startAndBlock } from '#test/start-and-block.ts';
import { changePassword } from '../new-password/change-password.ts';
import { deactivatePerson } from '../people/change-standing.ts';
import { confirmEmailChange } from './confirm-email-change.ts';
import { freezePayouts } from '../lockout/freeze-payouts.ts';
import type { Call, Identity } from '../identity.ts';
import { mailLinks } from '../mail-links.ts';
import { getMySecurity } from '../second-factor/my-security.ts';
import { reportEmailChange } from '../lockout/report-email-change.ts';
import { requestEmailChange } from './request-email-change.ts';
import { resetPassword } from '../new-password/reset-password.ts';
import { resolveSession } from '../sessions/resolve-session.ts';
import { setEmailOf } from './set-email.ts';
import { signIn } from '../sign-in/sign-in.ts';
import { withdrawEmailChange } from './withdraw-email-change.ts';

const services = createTestServices(new Date().toISOString());
let opened: TestDb;
let identity: Identity;
beforeAll(async () => {
  opened = await openTestDb();
  identity = createTestIdentity(opened, services, { confirmsEmail: true });
});
afterEach(() => expectSoundBooks(opened.db));
afterAll(() => opened.close());

const call = (cookie = ''): Call => ({
  origin: { requestId: newId(), ipAddress: '192.0.2.7', userAgent: null },
  headers: new Headers({ cookie }),
});
const refusal = (code: string) => expect.objectContaining({ code });
const newAddress = () => `${newId()}@purser.test`;

/** An employee at two places, and what changing the address does. */
async function employee() {
  const person = await createEmployee(opened.db, services);
  const here = await signInCookie(identity, person.id);
  const elsewhere = await signInCookie(identity, person.id);
  const request = (email: string) => requestEmailChange(identity, person.by, email);
  const mails = async () => {
    const rows = await opened.db
      .selectFrom('outbox')
      .select(['topic', 'payload'])
      .where('kind', '=', 'mail')
      .where('userId', '=', person.id)
      .orderBy('id')
      .execute();
    return rows.map(({ topic, payload }) => ({ topic, ids: payload as Record<string, string> }));
  };
  const changeId = async () =>
    (await mails()).findLast(({ topic }) => topic === 'confirm-new-email')?.ids['emailChangeId'] ??
    '';
  const changeToken = async () => (await mailLinks(identity).changeToken(await changeId())) ?? '';
  const reportToken = async () => (await mailLinks(identity).reportToken(await changeId())) ?? '';
  const confirm = (token: string, cookie = '') => confirmEmailChange(identity, call(cookie), token);
  const row = () =>
    opened.db
      .selectFrom('appUser')
      .select(['email', 'emailVerified', 'passwordResetAt', 'payoutsFrozenAt'])
      .where('id', '=', person.id)
      .executeTakeFirstOrThrow();
  const entersWith = (email: string, password = TEST_PASSWORD) =>
    signIn(identity, call(), { email, password }).then(
      () => true,
      () => false,
    );
  const security = () => getMySecurity(opened.db, { userId: person.id, now: services.clock.now() });
  return {
    ...{ ...person, here, elsewhere, request, mails, changeToken, reportToken, confirm, row },
    ...{ entersWith, security },
  };
}
const isAlive = async (cookie: string) =>
  (await resolveSession(identity, new Headers({ cookie }))) !== null;

describe('asking for another address', () => {
  test('changes nothing yet, mails the new one and notifies the present one', async () => {
    const person = await employee();
    const email = newAddress();
    await person.request(email);
    expect((await person.mails()).map(({ topic }) => topic).toSorted()).toEqual([
      'confirm-new-email',
      'notification',
    ]);
    expect(await person.row()).toMatchObject({ email: person.email, passwordResetAt: null });
    expect(await person.security()).toMatchObject({
      email: person.email,
      pendingEmail: { email, until: expect.any(String) },
    });
    expect(await isAlive(person.elsewhere)).toBe(true);
  });

  test('looks the same for an address that another person has, who gets a mail', async () => {
    const [person, other] = [await employee(), await employee()];
    await person.request(other.email);
    expect((await person.mails()).map(({ topic }) => topic)).toEqual(['notification']);
    expect((await other.mails()).map(({ topic }) => topic)).toEqual(['account-exists']);
    expect((await person.security()).pendingEmail).toMatchObject({ email: other.email });
  });

  test('refuses the present address, and too many', async () => {
    const person = await employee();
    await expect(person.request(person.email)).rejects.toMatchObject({
      code: 'invalid_request',
      fields: [{ path: 'email' }],
    });
    const limited = createTestIdentity(opened, services, {
      limits: { changeOfEmail: { attempts: 2, perS: 60 } },
    });
    await requestEmailChange(limited, person.by, newAddress());
    await expect(requestEmailChange(limited, person.by, newAddress())).rejects.toEqual(
      refusal('too_many_requests'),
    );
  });
});

describe('an address that a change takes', () => {
  test.each([
    "o'neil+pay@purser.test",
    'Maya@Purser.TEST',
    'maya@b\u00fccher.test',
    '\uff4da@purser.test',
  ])('signs its owner in afterwards, however it is typed: %s', async (typed) => {
    const body = { email: `${newId()}.${typed}` };
    const { email } = ROUTES.requestEmailChange.body.parse(body);
    const person = await employee();
    await person.request(email);
    await person.confirm(await person.changeToken());
    expect((await person.row()).email).toBe(email);
    const again = ROUTES.signIn.body.parse({ ...body, password: TEST_PASSWORD });
    expect(await person.entersWith(again.email)).toBe(true);
  });
});

describe('withdrawing it', () => {
  const withdraw = (by: CommandContext) =>
    withTx(opened.db, (tx) => withdrawEmailChange(tx, services, by));

  test('makes the link useless, is recorded, and changes nothing else', async () => {
    const [person, other] = [await employee(), await employee()];
    await person.request(newAddress());
    const token = await person.changeToken();
    await other.request(newAddress());
    await withdraw(person.by);
    expect((await person.security()).pendingEmail).toBeNull();
    await expect(person.confirm(token)).rejects.toEqual(refusal('link_invalid'));
    expect(await person.row()).toMatchObject({ email: person.email, passwordResetAt: null });
    expect(await isAlive(person.elsewhere)).toBe(true);
    expect((await other.security()).pendingEmail).not.toBeNull();
    const { actorId } = await opened.db
      .selectFrom('auditEvent')
      .select('actorId')
      .where('action', '=', 'email.change_withdrawn')
      .where('personId', '=', person.id)
      .executeTakeFirstOrThrow();
    expect(actorId).toBe(person.id);
    await expect(withdraw(person.by)).rejects.toEqual(refusal('no_email_change'));
  });

  test('or the link wins, never both', async () => {
    const person = await employee();
    await person.request(newAddress());
    const token = await person.changeToken();
    const both = await Promise.allSettled([withdraw(person.by), person.confirm(token)]);
    expectOneWins(both, 'no_email_change', 'link_invalid');
    const isWithdrawn = both[0].status === 'fulfilled';
    expect((await person.row()).email === person.email).toBe(isWithdrawn);
  });
});

describe('the link to the new address', () => {
  test('changes it: sessions elsewhere end, payouts cool off, the former address gets a mail', async () => {
    const person = await employee();
    const email = newAddress();
    const reset = (await mailLinks(identity).resetToken(person.email)) ?? '';
    await person.request(email);
    const token = await person.changeToken();
    await withTx(opened.db, (tx) =>
      tx
        .insertInto('mailSuppression')
        .values([person.email, email].map((one) => ({ email: one, since: new Date() })))
        .execute(),
    );
    await person.confirm(token, person.here);
    await person.confirm(token);
    // A mail at the new one was opened, whatever its server once said.
    const suppressed = await opened.db
      .selectFrom('mailSuppression')
      .select('email')
      .where('email', 'in', [person.email, email])
      .execute();
    expect(suppressed).toEqual([{ email: person.email }]);
    expect(await person.row()).toMatchObject({
      email,
      emailVerified: true,
      passwordResetAt: services.clock.now(),
    });
    expect(await isAlive(person.here)).toBe(true);
    expect(await isAlive(person.elsewhere)).toBe(false);
    expect(await person.entersWith(person.email)).toBe(false);
    expect(await person.entersWith(email)).toBe(true);
    expect((await person.mails()).filter(({ topic }) => topic === 'email-changed')).toHaveLength(1);
    expect((await person.security()).pendingEmail).toBeNull();
    const late = resetPassword(identity, call(), { token: reset, password: 'Another-one-2' });
    await expect(late).rejects.toEqual(refusal('link_invalid'));
    const trail = await opened.db
      .selectFrom('auditEvent')
      .select('action')
      .where('personId', '=', person.id)
      .where('action', 'like', 'email.%')
      .orderBy('id')
      .execute();
    expect(trail).toEqual([{ action: 'email.change_requested' }, { action: 'email.changed' }]);
  });

  test('works no more once another was asked for, or the owner acted', async () => {
    const acts: ((person: Awaited<ReturnType<typeof employee>>) => Promise<unknown>)[] = [
      (person) => person.request(newAddress()),
      ({ by }) => withTx(opened.db, (tx) => freezePayouts(tx, services, by)),
      ({ by, here }) =>
        changePassword(
          identity,
          { ...call(here), actor: by.actor },
          { currentPassword: TEST_PASSWORD, newPassword: 'Another-one-2' },
        ),
      async ({ email }) => {
        const token = (await mailLinks(identity).resetToken(email)) ?? '';
        await resetPassword(identity, call(), { token, password: 'Another-one-2' });
      },
    ];
    for (const act of acts) {
      const person = await employee();
      await person.request(newAddress());
      const token = await person.changeToken();
      await act(person);
      await expect(person.confirm(token)).rejects.toEqual(refusal('link_invalid'));
      expect(await person.row()).toMatchObject({ email: person.email });
    }
  });

  test('lets one of two people who request one address have it', async () => {
    const [one, two] = [await employee(), await employee()];
    const email = newAddress();
    await one.request(email);
    await two.request(email);
    const [first, second] = [await one.changeToken(), await two.changeToken()];
    const results = await Promise.allSettled([one.confirm(first), two.confirm(second)]);
    expectOneWins(results, 'link_invalid');
  });

  test('is refused when expired, made up, or the person deactivated', async () => {
    const person = await employee();
    await person.request(newAddress());
    await expect(person.confirm('made-up')).rejects.toEqual(refusal('link_invalid'));
    const token = await person.changeToken();
    const admin = await createAdmin(opened.db, services);
    await withTx(opened.db, (tx) =>
      deactivatePerson(tx, services, admin.by, { id: person.id, reason: 'Left the company' }),
    );
    await expect(person.confirm(token)).rejects.toEqual(refusal('link_invalid'));
  });
});

describe('an address that an admin sets', () => {
  const set = async (
    person: { id: string; email: string },
    by: CommandContext,
    { email = newAddress(), seen = person.email } = {},
  ) => {
    const change = { id: person.id, email, seen, reason: 'The mailbox was closed' };
    await withTx(opened.db, (tx) => setEmailOf(tx, services, by, change));
    return email;
  };

  test('is signed in with; the old one can take it back, and payouts cool off', async () => {
    const [person, admin] = [await employee(), await createAdmin(opened.db, services)];
    await person.request(newAddress());
    const pending = await person.changeToken();
    const email = await set(person, admin.by);
    expect(await person.row()).toMatchObject({
      ...{ email, emailVerified: true, passwordResetAt: expect.any(Date) },
    });
    expect(await isAlive(person.here)).toBe(false);
    expect(await person.entersWith(person.email)).toBe(false);
    expect(await person.entersWith(email)).toBe(true);
    await expect(person.confirm(pending)).rejects.toEqual(refusal('link_invalid'));
    const mail = (await person.mails()).find(({ topic }) => topic === 'email-changed');
    const token = (await mailLinks(identity).reportToken(mail?.ids['emailChangeId'] ?? '')) ?? '';
    await reportEmailChange(identity, call(), token);
    expect(await person.row()).toMatchObject({
      ...{ email: person.email, payoutsFrozenAt: expect.any(Date) },
    });
    const trail = await opened.db
      .selectFrom('auditEvent')
      .select('details')
      .where('personId', '=', person.id)
      .where('action', '=', 'email.set')
      .execute();
    expect(trail.map(({ details }) => details)).toMatchObject([
      {
        ...{ fields: ['email'], before: [person.email], after: [email] },
        reason: 'The mailbox was closed',
      },
    ]);
    const notices = await noticesOf(opened.db, person.id, 'email-address-changed');
    expect(notices).toEqual([expect.stringContaining(`changed your email address to ${email}`)]);
  });

  test('is refused for oneself, taken, unchanged, and after another change', async () => {
    const [person, other] = [await employee(), await employee()];
    const admin = await createAdmin(opened.db, services);
    await expect(set(admin, admin.by)).rejects.toEqual(refusal('own_account'));
    await expect(set(person, admin.by, { email: other.email })).rejects.toEqual(
      refusal('email_taken'),
    );
    await expect(set(person, admin.by, { email: person.email })).rejects.toMatchObject({
      fields: [{ path: 'email' }],
    });
    await expect(set(person, admin.by, { seen: other.email })).rejects.toEqual(refusal('conflict'));
    expect((await person.row()).email).toBe(person.email);
  });
});

describe('"this was not me" of the former address', () => {
  test('takes the address back, freezes payouts and shuts everybody out until a new password', async () => {
    const person = await employee();
    const thiefs = newAddress();
    await person.request(thiefs);
    await person.confirm(await person.changeToken(), person.here);
    const token = await person.reportToken();
    await reportEmailChange(identity, call(), token);
    await reportEmailChange(identity, call(), token);
    const row = await person.row();
    expect(row.email).toBe(person.email);
    expect(row.payoutsFrozenAt).not.toBeNull();
    expect(await isAlive(person.here)).toBe(false);
    expect(await person.entersWith(thiefs)).toBe(false);
    expect(await person.entersWith(person.email)).toBe(false);
    const reset = (await mailLinks(identity).resetToken(person.email)) ?? '';
    await resetPassword(identity, call(), { token: reset, password: 'Another-one-2' });
    expect(await person.entersWith(person.email, 'Another-one-2')).toBe(true);
    expect((await person.row()).payoutsFrozenAt).not.toBeNull();
  });

  test('takes back a chain of changes, and the thief cannot take that back', async () => {
    const person = await employee();
    await person.request(newAddress());
    await person.confirm(await person.changeToken());
    const owners = await person.reportToken();
    services.clock.set(new Date(services.clock.now().getTime() + 1_000).toISOString());
    await person.request(newAddress());
    await person.confirm(await person.changeToken());
    const thiefs = await person.reportToken();
    await reportEmailChange(identity, call(), thiefs);
    await reportEmailChange(identity, call(), owners);
    await reportEmailChange(identity, call(), thiefs);
    expect(await person.row()).toMatchObject({ email: person.email });
  });

  test('leaves the account to the owner after later changes alone', async () => {
    const person = await employee();
    await person.request(newAddress());
    await person.confirm(await person.changeToken());
    const owners = await person.reportToken();
    services.clock.set(new Date(services.clock.now().getTime() + 1_000).toISOString());
    await person.request(newAddress());
    await person.confirm(await person.changeToken());
    await reportEmailChange(identity, call(), owners);
    await reportEmailChange(identity, call(), await person.reportToken());
    expect(await person.row()).toMatchObject({ email: person.email });
  });

  test('freezes also where another person has the former address by now', async () => {
    const person = await employee();
    const changed = newAddress();
    await person.request(changed);
    await person.confirm(await person.changeToken());
    await createEmployee(opened.db, services, { email: person.email });
    await reportEmailChange(identity, call(), await person.reportToken());
    const row = await person.row();
    expect(row.email).toBe(changed);
    expect(row.payoutsFrozenAt).not.toBeNull();
  });

  test('freezes also where another person takes the former address at the same moment', async () => {
    const person = await employee();
    const changed = newAddress();
    await person.request(changed);
    await person.confirm(await person.changeToken());
    const token = await person.reportToken();
    const [admin, other] = [await createAdmin(opened.db, services), await employee()];
    const reporting = await withTx(opened.db, async (tx) => {
      await setEmailOf(tx, services, admin.by, {
        ...{ id: other.id, email: person.email, seen: other.email, reason: 'A new mailbox' },
      });
      return startAndBlock(opened.db, () => reportEmailChange(identity, call(), token));
    });
    await reporting.answer;
    expect(await person.row()).toMatchObject({
      ...{ email: changed, payoutsFrozenAt: expect.any(Date) },
    });
    expect(await isAlive(person.here)).toBe(false);
  });

  test('is no other link, and none before the change', async () => {
    const person = await employee();
    await person.request(newAddress());
    const early = await person.reportToken();
    for (const token of ['made-up', await person.changeToken(), early]) {
      await expect(reportEmailChange(identity, call(), token)).rejects.toEqual(
        refusal('link_invalid'),
      );
    }
  });
});
