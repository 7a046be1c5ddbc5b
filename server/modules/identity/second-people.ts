import { sql } from 'kysely';
import { prepared } from '#server/db/statement-names.ts';
import type { Reader, Tx } from '#server/db/tx.ts';
import { record } from '#server/modules/journal/index.ts';

/** An active administrator, as the second person of an act that takes two. */
export interface SecondPerson {
  id: string;
  name: string;
  /** Time from which they can be a second person; null: now. */
  from: Date | null;
  /** They have to set up two-factor before they can do anything. */
  needsTwoFactor: boolean;
}

/** An invite, a reactivation or a reset: until then its cause and its person count as one. */
export interface Link {
  causedBy: string;
  userId: string;
  until: Date;
}

/** Active administrators by name, and the links between people, of administrators or not. */
export interface SecondPeople {
  people: SecondPerson[];
  links: readonly Link[];
}

/** Change of a person's access by administrators. */
export interface AccessChange {
  id: string;
  reason: string;
  /** Ids of the administrators who count as one with the person afterwards, where not the acting one alone. */
  causes?: readonly string[];
}

/** Reads who can be somebody's second person, from when, and for whom. One statement. */
export async function readSecondPeople(reader: Reader): Promise<SecondPeople> {
  const { rows } = await sql<SecondPerson & { links: WrittenLink[] | null }>`
    select ${prepared} person.id, person.name, person.needs_two_factor, wait.until AS "from",
           (SELECT jsonb_agg(jsonb_build_object(
              'causedBy', link.caused_by, 'userId', link.user_id, 'until', link.since + hours))
              FROM company_settings
             CROSS JOIN LATERAL make_interval(hours => second_person_hours) AS hours
              JOIN second_person_wait AS link ON link.since > now() - hours
             WHERE link.caused_by IS NOT NULL) AS links
      FROM (SELECT app_user.id, name, second_person_hours,
                   require_admin_two_factor AND NOT two_factor_enabled AS needs_two_factor
              FROM app_user CROSS JOIN company_settings
             WHERE role = 'admin' AND deactivated_at IS NULL) AS person
      LEFT JOIN LATERAL (
        SELECT max(since) + make_interval(hours => second_person_hours) AS until
          FROM second_person_wait WHERE user_id = person.id
        HAVING max(since) > now() - make_interval(hours => second_person_hours)) AS wait ON true
     ORDER BY person.name, person.id`.execute(reader);
  return {
    people: rows.map(({ id, name, from, needsTwoFactor }) => ({ id, name, from, needsTwoFactor })),
    links: (rows[0]?.links ?? []).map((link) => ({ ...link, until: new Date(link.until) })),
  };
}
/** In JSON a time is text. */
type WrittenLink = Omit<Link, 'until'> & { until: string };

/** True if a person can be somebody's second person now. */
export function isSecondPerson({ from, needsTwoFactor }: SecondPerson): boolean {
  return from === null && !needsTwoFactor;
}

/**
 * Time until which a person counts as one with somebody whom they invited, reactivated or reset, or who was by
 * somebody of those, and so on; null where they are two.
 */
export function oneUntil(links: readonly Link[], causedBy: string, userId: string): Date | null {
  const ways = links
    .filter((link) => link.userId === userId)
    .flatMap(({ causedBy: cause, until }) => {
      if (cause === causedBy) return [until];
      // The rest of the way goes through other people, so that a circle ends.
      const rest = links.filter((link) => link.userId !== userId);
      const before = oneUntil(rest, causedBy, cause);
      return before === null ? [] : [before < until ? before : until];
    });
  return ways.toSorted((one, other) => other.getTime() - one.getTime())[0] ?? null;
}

/** Ids of everybody who counts as one with a person because of what that person did, theirs among them. */
export function onesOf(links: readonly Link[], id: string): string[] {
  const found = new Set([id]);
  // A set goes on to what is added to it meanwhile.
  for (const one of found) {
    for (const { causedBy, userId } of links) if (causedBy === one) found.add(userId);
  }
  return [...found];
}

/**
 * Lets a person be nobody's second person for the hours of the setting: they became an administrator by an
 * administrator's invite, were let in again, or had a password, address or second factor reset. The
 * other administrators are notified of it and have that time to look.
 *
 * @param causes ids of who did it; none: the person themselves, by mail
 */
export async function waitAsSecondPerson(
  tx: Tx,
  { userId, since, causes = [] }: { userId: string; since: Date; causes?: readonly string[] },
): Promise<void> {
  const rows = causes.length === 0 ? [null] : causes;
  await tx
    .insertInto('secondPersonWait')
    .values(rows.map((causedBy) => ({ userId, since, causedBy })))
    .execute();
  record(tx, { actor: 'system' }, 'second_person.waits', {
    ...{ id: userId, at: since },
    details: { causes: rows.map((causedBy) => causedBy ?? '') },
  });
}
