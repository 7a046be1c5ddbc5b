import { describe, expect, test } from 'vitest';
import { withTx } from '#server/db/tx.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { call, emailChangeFixture, newAddress, refusal } from '#test/email-change-fixture.ts';
import { createAdmin } from '#test/factories/people.ts';
import { noticesOf } from '#test/notices-of.ts';
import type { TestDb } from '#test/open-db.ts';
import type { Identity } from '../identity.ts';
import { mailLinks } from '../mail-links.ts';
import { reportEmailChange } from '../lockout/report-email-change.ts';
import { setEmailOf } from './set-email.ts';

let opened: TestDb;
let identity: Identity;
const { services, employee, isAlive } = emailChangeFixture((company) => {
  ({ opened, identity } = company);
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
      email,
      emailVerified: true,
      passwordResetAt: expect.any(Date),
    });
    expect(await isAlive(person.here)).toBe(false);
    expect(await person.entersWith(person.email)).toBe(false);
    expect(await person.entersWith(email)).toBe(true);
    await expect(person.confirm(pending)).rejects.toEqual(refusal('link_invalid'));
    const mail = (await person.mails()).find(({ topic }) => topic === 'email-changed');
    const token = (await mailLinks(identity).reportToken(mail?.ids['emailChangeId'] ?? '')) ?? '';
    await reportEmailChange(identity, call(), token);
    expect(await person.row()).toMatchObject({
      email: person.email,
      payoutsFrozenAt: expect.any(Date),
    });
    const trail = await opened.db
      .selectFrom('auditEvent')
      .select('details')
      .where('personId', '=', person.id)
      .where('action', '=', 'email.set')
      .execute();
    expect(trail.map(({ details }) => details)).toMatchObject([
      {
        fields: ['email'],
        before: [person.email],
        after: [email],
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
