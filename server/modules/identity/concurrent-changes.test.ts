import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, test } from 'vitest';
import { lockUser } from '#server/db/lock-user.ts';
import type { Tx } from '#server/db/tx.ts';
import { withTx } from '#server/db/tx.ts';
import { newId } from '#server/lib/ids.ts';
import { record } from '#server/modules/journal/index.ts';
import { createTestIdentity } from '#test/factories/identity.ts';
import { createEmployee, signInCookie, TEST_PASSWORD } from '#test/factories/people.ts';
import type { TestPerson } from '#test/factories/people.ts';
import { createTestServices } from '#test/factories/services.ts';
import { openTestDb } from '#test/open-db.ts';
import type { TestDb } from '#test/open-db.ts';
import { expectSoundBooks } from '#test/sound-books.ts';
import { startAndBlock } from '#test/start-and-block.ts';
import type { Call, Identity } from './identity.ts';
import { rotateSecret } from './rotate-secret.ts';
import { newAppSecret } from './second-factor/app-code.ts';
import { removePasskey } from './second-factor/passkeys.ts';
import { keepRecoveryCodes, newRecoveryCodes } from './second-factor/recovery-codes.ts';
import { checkSecondFactor } from './second-factor/second-factor.ts';
import { renewRecoveryCodes } from './second-factor/two-factor.ts';
import { encryptText } from './secrets.ts';

const services = createTestServices(new Date().toISOString());
const [SECRET = '', FORMER_SECRET = ''] = [1, 2].map(() => randomBytes(32).toString('base64'));
let opened: TestDb;
let identity: Identity;
beforeAll(async () => {
  opened = await openTestDb();
  identity = createTestIdentity(opened, services, { secrets: [SECRET, FORMER_SECRET] });
});
afterAll(() => opened.close());

interface Owner extends TestPerson {
  passkeys: readonly string[];
  recoveryCode: string;
}

/** An employee with two passkeys, recovery codes, and an app under the former secret. */
async function createOwner(): Promise<Owner> {
  const person = await createEmployee(opened.db, services);
  const recoveryCodes = newRecoveryCodes();
  const passkeys = await withTx(opened.db, async (tx) => {
    await tx
      .updateTable('appUser')
      .set({ twoFactorEnabled: true })
      .where('id', '=', person.id)
      .execute();
    await tx
      .insertInto('authTwoFactor')
      .values({
        userId: person.id,
        secret: encryptText([FORMER_SECRET], newAppSecret()),
        backupCodes: keepRecoveryCodes([SECRET], recoveryCodes),
        verifiedAt: services.clock.now(),
      })
      .execute();
    const kept = ['Phone', 'Laptop'].map((name) => ({
      userId: person.id,
      name,
      createdAt: services.clock.now(),
      counter: 0,
      credentialId: newId(),
      publicKey: 'public key',
      transports: '',
    }));
    record(tx, { actor: 'system' }, 'sign_in.recorded', { id: person.id });
    return tx.insertInto('authPasskey').values(kept).returning('id').execute();
  });
  const [recoveryCode = ''] = recoveryCodes;
  return { ...person, passkeys: passkeys.map(({ id }) => id), recoveryCode };
}

const call = (cookie = ''): Call => ({
  origin: { requestId: newId(), ipAddress: '192.0.2.7', userAgent: null },
  headers: new Headers({ cookie }),
});
const remove = (tx: Tx, { by, passkeys }: Owner, index: number) =>
  removePasskey(tx, services, by, passkeys[index] ?? '');

/** Commands that change how a person signs in by a statement that does not lock the person. */
const CHANGES: readonly [string, (owner: Owner) => Promise<unknown>][] = [
  ['removing a passkey', (owner) => withTx(opened.db, (tx) => remove(tx, owner, 1))],
  [
    'making new recovery codes',
    async ({ id, by }) => {
      const context = { ...call(await signInCookie(identity, id)), actor: by.actor };
      return renewRecoveryCodes(identity, context, TEST_PASSWORD);
    },
  ],
  [
    'using a recovery code',
    ({ id, by, recoveryCode: code }) =>
      checkSecondFactor(identity, { userId: id, code, browser: null, by }),
  ],
  ['encrypting the secret of an app again', () => rotateSecret(opened.db, identity.secrets)],
];

test.each(CHANGES)('%s waits for another change of how the person signs in', async (_, change) => {
  const owner = await createOwner();
  const { answer } = await withTx(opened.db, async (tx) => {
    await lockUser(tx, owner.id);
    await remove(tx, owner, 0);
    return startAndBlock(opened.db, () => change(owner));
  });
  await answer;
  // Compares the record with how the owner signs in.
  await expectSoundBooks(opened.db, { about: owner.id });
});

test('two passkeys removed at the same time leave a record of how their owner signs in now', async () => {
  for (let round = 0; round < 40; round += 1) {
    const owner = await createOwner();
    await Promise.all([0, 1].map((index) => withTx(opened.db, (tx) => remove(tx, owner, index))));
  }
  await expectSoundBooks(opened.db);
});
