import { afterAll, beforeAll, expect, it } from 'vitest';
import { withTx } from '#server/db/tx.ts';
import { deactivatePerson, freezePayouts } from '#server/modules/identity/index.ts';
import type { Identity } from '#server/modules/identity/index.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { createTestIdentity } from '#test/factories/identity.ts';
import { createPayee, fundedWallet } from '#test/factories/money.ts';
import { createPersonBy } from '#test/factories/people.ts';
import { createTestServices } from '#test/factories/services.ts';
import { openTestDb } from '#test/open-db.ts';
import type { TestDb } from '#test/open-db.ts';
import { findRecipient } from './find-recipient.ts';

const services = createTestServices();
let test: TestDb;
let attempts: Identity['attempts'];
let admin: CommandContext;

beforeAll(async () => {
  test = await openTestDb();
  attempts = createTestIdentity(test, services).attempts;
  admin = await createPersonBy(test.db, { role: 'admin', email: 'renee@purser.test' });
});
afterAll(() => test.close());

const payer = async () => (await createPayee(test.db, services, { admin, fundedMinor: 0n })).by;
const find = ({ actor }: CommandContext, email: string) =>
  findRecipient(test.db, { clock: services.clock, attempts }, { userId: actor.id, email });
async function colleague(email: string): Promise<CommandContext> {
  const by = await createPersonBy(test.db, { email, firstName: 'Keiko', lastName: 'Tanabe' });
  await fundedWallet(test.db, services, by, 0n);
  return by;
}

it('finds a colleague by exactly their address', async () => {
  const maya = await payer();
  const keiko = await colleague('keiko.tanabe@purser.test');
  expect(await find(maya, 'keiko.tanabe@purser.test')).toEqual({
    id: keiko.actor.id,
    name: 'Keiko Tanabe',
    email: 'keiko.tanabe@purser.test',
  });
  for (const other of ['keiko.tanabe@purser', 'keiko%', '%', 'keiko_tanabe@purser.test']) {
    await expect(find(maya, other), other).rejects.toMatchObject({ code: 'recipient_not_found' });
  }
});

it('says the same of everybody who cannot be paid, whoever they are', async () => {
  const maya = await payer();
  const deactivated = await colleague('deactivated@purser.test');
  await withTx(test.db, (tx) =>
    deactivatePerson(tx, services, admin, { id: deactivated.actor.id, reason: 'Left' }),
  );
  const frozen = await colleague('frozen@purser.test');
  await withTx(test.db, (tx) => freezePayouts(tx, services, frozen));
  const applicant = await colleague('applicant@purser.test');
  await test.db
    .updateTable('appUser')
    .set({ acceptedAt: null })
    .where('id', '=', applicant.actor.id)
    .execute();
  await createPersonBy(test.db, { email: 'walletless@purser.test' });
  const refusals: unknown[] = [];
  for (const who of ['nobody', 'deactivated', 'frozen', 'applicant', 'walletless', 'renee']) {
    refusals.push(
      await find(maya, `${who}@purser.test`).catch((error: { code: string; message: string }) => ({
        code: error.code,
        message: error.message,
      })),
    );
  }
  expect(new Set(refusals.map((refusal) => JSON.stringify(refusal))).size).toBe(1);
  expect(refusals[0]).toMatchObject({ code: 'recipient_not_found' });
});

it('says that an address is one’s own', async () => {
  const me = await createPayee(test.db, services, { admin, fundedMinor: 0n });
  const { email } = await test.db
    .selectFrom('appUser')
    .select('email')
    .where('id', '=', me.by.actor.id)
    .executeTakeFirstOrThrow();
  await expect(find(me.by, email)).rejects.toMatchObject({ code: 'own_payment' });
});

it('finds nobody for an applicant, or without an approved identity', async () => {
  await colleague('found@purser.test');
  const unapproved = await createPersonBy(test.db);
  await expect(find(unapproved, 'found@purser.test')).rejects.toMatchObject({
    code: 'identity_not_approved',
  });
  const applicant = await payer();
  await test.db
    .updateTable('appUser')
    .set({ acceptedAt: null })
    .where('id', '=', applicant.actor.id)
    .execute();
  await expect(find(applicant, 'found@purser.test')).rejects.toMatchObject({
    code: 'payer_not_accepted',
  });
});

it('is asked twenty times an hour by one person, whatever was found', async () => {
  const maya = await payer();
  await colleague('asked@purser.test');
  for (let asked = 0; asked < 20; asked += 1) {
    const email = asked % 2 === 0 ? 'asked@purser.test' : `guess-${asked}@purser.test`;
    await find(maya, email).catch(() => undefined);
  }
  await expect(find(maya, 'asked@purser.test')).rejects.toMatchObject({
    code: 'too_many_requests',
  });
  expect((await find(await payer(), 'asked@purser.test')).name).toBe('Keiko Tanabe');
});
