import { sql } from 'kysely';
import type { DutySetting } from '#contract/duties.ts';
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

/**
 * Active administrators by name, the links between people, duties in force that were not switched off since, and the
 * amounts, in minor units, that administrators moved alone in this month of the company under each duty.
 */
export interface SecondPeople {
  people: readonly SecondPerson[];
  links: readonly Link[];
  noted: ReadonlySet<DutySetting>;
  alone: ReadonlyMap<DutySetting, bigint>;
}

/** Change of a person's access by administrators. */
export interface AccessChange {
  id: string;
  reason: string;
  /** Ids of the administrators who count as one with the person afterwards, where not the acting one alone. */
  causes?: readonly string[];
}

const HOURS = sql`(SELECT make_interval(hours => second_person_hours) FROM company_settings)`;

/**
 * Reads who can be somebody's second person, from when, and for whom. Duties in force and what was done alone under
 * them come with it: a statement of their own costs half as much again.
 *
 * @param timeZone of the company, whose month is summed; null: no sums are read
 */
export async function readSecondPeople(
  reader: Reader,
  timeZone: string | null = null,
): Promise<SecondPeople> {
  const { rows } = await sql<
    SecondPerson & {
      links: WrittenLink[] | null;
      noted: DutySetting[];
      alone: Readonly<Record<string, string>> | null;
    }
  >`
    select ${prepared} person.id, person.name, wait.until AS "from",
           settings.require_admin_two_factor AND NOT person.two_factor_enabled AS needs_two_factor,
           (SELECT json_agg(json_build_object(
              'causedBy', caused_by, 'userId', user_id, 'until', since + ${HOURS}))
              FROM second_person_wait
             WHERE since > now() - ${HOURS} AND caused_by IS NOT NULL) AS links,
           ARRAY(SELECT duty FROM duty_in_force) AS noted,
           (SELECT json_object_agg(limit_name, amount_minor::text)
              FROM amount_used
             WHERE limit_name IN ('payroll', 'deposit', 'payout', 'return') AND subject_id IS NULL
               AND since = date_trunc('month', now() AT TIME ZONE ${timeZone}::text)::date) AS alone
      FROM app_user AS person CROSS JOIN company_settings AS settings
      LEFT JOIN (SELECT user_id, max(since) + ${HOURS} AS until
                   FROM second_person_wait
                  WHERE since > now() - ${HOURS} GROUP BY user_id) AS wait ON wait.user_id = person.id
     WHERE person.role = 'admin' AND person.deactivated_at IS NULL
     ORDER BY person.name, person.id`.execute(reader);
  const [first] = rows;
  return {
    people: rows.map(({ id, name, from, needsTwoFactor }) => ({ id, name, from, needsTwoFactor })),
    links: (first?.links ?? []).map((link) => ({ ...link, until: new Date(link.until) })),
    noted: new Set(first?.noted),
    alone: new Map(
      Object.entries(first?.alone ?? {}).map(([duty, minor]) => [
        duty as DutySetting,
        BigInt(minor),
      ]),
    ),
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
 * somebody of those, and so on; null where they are two. A way lasts until the first of its links ends, and the way that ends last
 * counts. So links are added from the last to end, and the one that reaches the person is the answer: each is followed
 * once, however many ways there are.
 */
export function oneUntil(links: readonly Link[], causedBy: string, userId: string): Date | null {
  const onward = new Map<string, string[]>();
  const found = new Set([causedBy]);
  for (const link of links.toSorted((one, other) => other.until.getTime() - one.until.getTime())) {
    const known = onward.get(link.causedBy);
    if (known === undefined) onward.set(link.causedBy, [link.userId]);
    else known.push(link.userId);
    if (!found.has(link.causedBy) || found.has(link.userId)) continue;
    // A set goes on to what is added to it in the loop.
    const reached = new Set([link.userId]);
    for (const one of reached) {
      if (found.has(one)) continue;
      found.add(one);
      for (const next of onward.get(one) ?? []) reached.add(next);
    }
    if (found.has(userId)) return link.until;
  }
  return null;
}

/**
 * True if there is an administrator who can accept an act on a person that another one proposes, now or after the
 * hours in which they are nobody's second person.
 */
export function hasOther(
  people: readonly SecondPerson[],
  { personId, proposerId }: { personId: string | null; proposerId: string },
): boolean {
  return people.some(
    ({ id, needsTwoFactor }) => !needsTwoFactor && id !== personId && id !== proposerId,
  );
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
    id: userId,
    at: since,
    details: { causes: rows.map((causedBy) => causedBy ?? '') },
  });
}
