import { describe, expect, test } from 'vitest';
import { ROUTES } from '#contract/routes/all.ts';
import { withTx } from '#server/db/tx.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { newId } from '#server/lib/ids.ts';
import { createTestIdentity } from '#test/factories/identity.ts';
import { call, emailChangeFixture, newAddress, refusal } from '#test/email-change-fixture.ts';
import { createAdmin, TEST_PASSWORD } from '#test/factories/people.ts';
import { expectOneWins } from '#test/one-wins.ts';
import type { TestDb } from '#test/open-db.ts';
import type { Identity } from '../identity.ts';
import { changePassword } from '../new-password/change-password.ts';
import { deactivatePerson } from '../people/change-standing.ts';
import { freezePayouts } from '../lockout/freeze-payouts.ts';
import { mailLinks } from '../mail-links.ts';
import { requestEmailChange } from './request-email-change.ts';
import { resetPassword } from '../new-password/reset-password.ts';
import { withdrawEmailChange } from './withdraw-email-change.ts';

let opened: TestDb;
let identity: Identity;
const { services, employee, isAlive } = emailChangeFixture((company) => {
  ({ opened, identity } = company);
});

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
