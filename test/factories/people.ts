import type { Role } from '#contract/identity.ts';
import type { Db } from '#server/db/tx.ts';
import type { Actor, By } from '#server/lib/actor.ts';
import { newId } from '#server/lib/ids.ts';

/** A person as a bare row: no sign-in, no wallet, no application. For tests of the lower modules. */
export async function createPerson(
  db: Db,
  person: { role?: Role; firstName?: string; lastName?: string } = {},
): Promise<Actor> {
  const { role = 'employee', firstName = 'Test', lastName = 'Person' } = person;
  const id = newId();
  const name = `${firstName} ${lastName}`;
  await db
    .insertInto('appUser')
    .values({ id, email: `${id}@purser.test`, name, firstName, lastName, role })
    .execute();
  return { id, role, name };
}

/** As a request of theirs would act. */
export async function createPersonBy(
  db: Db,
  person: Parameters<typeof createPerson>[1] = {},
): Promise<By> {
  return { actor: await createPerson(db, person) };
}
