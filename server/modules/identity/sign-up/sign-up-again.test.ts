import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { withTx } from '#server/db/tx.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { newId } from '#server/lib/ids.ts';
import { createTestIdentity } from '#test/factories/identity.ts';
import { createAdmin, signInCookie } from '#test/factories/people.ts';
import { fundedWallet, pendingBank } from '#test/factories/money.ts';
import { createTestServices } from '#test/factories/services.ts';
import { openTestDb } from '#test/open-db.ts';
import type { TestDb } from '#test/open-db.ts';
import { expectSoundBooks } from '#test/sound-books.ts';
import { acceptPerson } from '../people/accept-person.ts';
import { confirmEmail } from './confirm-email.ts';
import type { Call, Identity } from '../identity.ts';
import { mailLinks } from '../mail-links.ts';
import { resetPassword } from '../new-password/reset-password.ts';
import { resolveSession } from '../sessions/resolve-session.ts';
import { signIn } from '../sign-in/sign-in.ts';
import { signUp } from './sign-up.ts';

const services = createTestServices(new Date().toISOString());
let opened: TestDb;
let identity: Identity;
beforeAll(async () => {
  opened = await openTestDb();
  identity = createTestIdentity(opened, services, { confirmsEmail: true });
});
afterAll(async () => {
  await expectSoundBooks(opened.db);
  await opened.close();
});

const call = (): Call => ({
  origin: { requestId: newId(), ipAddress: '192.0.2.7', userAgent: null },
  headers: new Headers(),
});
const refusal = (code: string) => expect.objectContaining({ code });

/** An address on which a stranger signed up before its owner does. */
async function signedUpByStranger() {
  const email = `${newId()}@purser.test`;
  const stranger = {
    email,
    firstName: 'Sly',
    lastName: 'Stranger',
    password: 'Not-theirs-at-all-1',
  };
  const owner = { email, firstName: 'Maya', lastName: 'Okafor', password: 'Choose-me-1' };
  await signUp(identity, call(), stranger);
  const { id } = await opened.db
    .selectFrom('appUser')
    .select('id')
    .where('email', '=', email)
    .executeTakeFirstOrThrow();
  const linkToken = async () => (await mailLinks(identity).confirmationToken(email)) ?? '';
  const signUpAgain = () => signUp(identity, call(), owner);
  const names = () =>
    opened.db
      .selectFrom('appUser')
      .select(['name', 'firstName', 'lastName'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
  const mails = async () => {
    const rows = await opened.db
      .selectFrom('outbox')
      .select('topic')
      .where('kind', '=', 'mail')
      .where('userId', '=', id)
      .orderBy('id')
      .execute();
    return rows.map(({ topic }) => topic);
  };
  const by: CommandContext = { actor: { id, role: 'employee', name: 'Sly Stranger' } };
  return { id, by, email, stranger, owner, linkToken, signUpAgain, names, mails };
}

describe('a later sign-up on an address that was never confirmed', () => {
  test('replaces password and name, and answers like any other', async () => {
    const address = await signedUpByStranger();
    expect(await address.signUpAgain()).toEqual({ status: 'confirm_email' });
    expect(await address.mails()).toEqual(['confirm-email', 'confirm-email']);
    await confirmEmail(identity, call(), await address.linkToken());
    await expect(signIn(identity, call(), address.stranger)).rejects.toEqual(
      refusal('invalid_credentials'),
    );
    const { reply } = await signIn(identity, call(), address.owner);
    expect(reply.user).toMatchObject({ id: address.id, firstName: 'Maya', lastName: 'Okafor' });
    expect(await address.names()).toMatchObject({ name: 'Maya Okafor' });
    const trail = await opened.db
      .selectFrom('auditEvent')
      .select('action')
      .where('personId', '=', address.id)
      .orderBy('id')
      .execute();
    expect(trail.map(({ action }) => action)).toEqual(
      expect.arrayContaining(['user.signed_up', 'user.signed_up_again']),
    );
  });

  test('spends the links that were mailed before, and ends sessions', async () => {
    const address = await signedUpByStranger();
    const cookie = await signInCookie(identity, address.id);
    const confirmation = await address.linkToken();
    const reset = (await mailLinks(identity).resetToken(address.email)) ?? '';
    await address.signUpAgain();
    await expect(confirmEmail(identity, call(), confirmation)).rejects.toEqual(
      refusal('link_invalid'),
    );
    const late = resetPassword(identity, call(), { token: reset, password: 'Not-theirs-again-2' });
    await expect(late).rejects.toEqual(refusal('link_invalid'));
    expect(await resolveSession(identity, new Headers({ cookie }))).toBeNull();
    await confirmEmail(identity, call(), await address.linkToken());
  });

  test('takes the account over also when too many mails were asked for already', async () => {
    const address = await signedUpByStranger();
    const strict = createTestIdentity(opened, services, {
      confirmsEmail: true,
      limits: { confirmationOfAccount: { attempts: 1, perS: 60 } },
    });
    await signUp(strict, call(), address.stranger);
    const strangers = await address.linkToken();
    expect(await signUp(strict, call(), address.owner)).toEqual({ status: 'confirm_email' });
    expect(await address.mails()).toEqual(['confirm-email', 'confirm-email']);
    await expect(confirmEmail(identity, call(), strangers)).rejects.toEqual(
      refusal('link_invalid'),
    );
    await confirmEmail(identity, call(), await address.linkToken());
    await signIn(identity, call(), address.owner);
  });
});

type Address = Awaited<ReturnType<typeof signedUpByStranger>>;

/** Facts that make an account more than a sign-up. */
const BEYOND: Readonly<Record<string, (address: Address) => Promise<unknown>>> = {
  'whose address is confirmed': async ({ linkToken }) =>
    confirmEmail(identity, call(), await linkToken()),
  'that an admin accepted': async ({ id }) => {
    const { by } = await createAdmin(opened.db, services);
    await withTx(opened.db, (tx) => acceptPerson(tx, services, by, id));
  },
  'whose owner signed in before addresses were confirmed': ({ id }) =>
    opened.db
      .updateTable('appUser')
      .set({ lastLoginAt: new Date() })
      .where('id', '=', id)
      .execute(),
  'whose application was begun': ({ id }) =>
    opened.db
      .updateTable('kycApplication')
      .set({ answered: ['fullName'], version: 2 })
      .where('userId', '=', id)
      .execute(),
  'with another wallet': ({ by }) => fundedWallet(opened.db, services, by, 0n, 'savings'),
  'with money': ({ by }) => fundedWallet(opened.db, services, by, 100n),
  'with a bank account': ({ by }) => pendingBank(opened.db, services, by),
};

test.each(Object.entries(BEYOND))(
  'an account %s is left as it is, and its owner gets a mail',
  async (_, makeMore) => {
    const address = await signedUpByStranger();
    await makeMore(address);
    expect(await address.signUpAgain()).toEqual({ status: 'confirm_email' });
    expect((await address.mails()).at(-1)).toBe('account-exists');
    expect(await address.names()).toMatchObject({ name: 'Sly Stranger' });
  },
);

test('the server cannot rename a person who is confirmed or accepted', async () => {
  const address = await signedUpByStranger();
  const rename = () =>
    withTx(opened.db, (tx) =>
      tx.updateTable('appUser').set({ firstName: 'Other' }).where('id', '=', address.id).execute(),
    );
  await rename();
  await confirmEmail(identity, call(), await address.linkToken());
  await expect(rename()).rejects.toThrow('the name of a person changes only with a correction');
  const { reply } = await signIn(identity, call(), address.stranger);
  expect(reply.user?.firstName).toBe('Other');
});
