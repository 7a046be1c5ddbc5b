import { sql } from 'kysely';
import { NEW_ADMIN_HOURS } from '#contract/duties.ts';
import type { Reader, Tx } from '#server/db/tx.ts';

/** An active administrator, as the second person of an act that takes two. */
export interface SecondPerson {
  id: string;
  name: string;
  /** From when they can be a second person; null: now. */
  from: Date | null;
  /** They have to set up two-factor before they can do anything. */
  needsTwoFactor: boolean;
}

/** All active administrators by name, with from when each can be somebody's second person. */
export async function listSecondPeople(reader: Reader): Promise<SecondPerson[]> {
  const { rows } = await sql<SecondPerson>`
    SELECT person.id, person.name, CASE WHEN wait.until > now() THEN wait.until END AS "from",
           settings.require_admin_two_factor AND NOT person.two_factor_enabled AS needs_two_factor
      FROM app_user AS person CROSS JOIN company_settings AS settings
      LEFT JOIN second_person_wait AS wait ON wait.user_id = person.id
     WHERE person.role = 'admin' AND person.deactivated_at IS NULL
     ORDER BY person.name, person.id`.execute(reader);
  return rows;
}

/** True if a person can be somebody's second person now. */
export function isSecondPerson({ from, needsTwoFactor }: SecondPerson): boolean {
  return from === null && !needsTwoFactor;
}

/**
 * Lets a person be nobody's second person for NEW_ADMIN_HOURS: they became an administrator by an
 * administrator's invite, were let in again, or had a password, address or second factor reset. The
 * other administrators are notified of it and have that time to look.
 */
export async function waitAsSecondPerson(tx: Tx, userId: string, at: Date): Promise<void> {
  const until = new Date(at.getTime() + NEW_ADMIN_HOURS * 3_600_000);
  await tx
    .insertInto('secondPersonWait')
    .values({ userId, until })
    .onConflict((conflict) =>
      conflict.column('userId').doUpdateSet({
        until: sql`greatest(second_person_wait.until, excluded.until)`,
      }),
    )
    .execute();
}
