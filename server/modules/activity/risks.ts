import { sql } from 'kysely';
import type { RouteReply } from '#contract/api.ts';
import { ADMINS_TO_SEPARATE, DUTY_SETTINGS } from '#contract/duties.ts';
import { RISK_KINDS } from '#contract/waiting.ts';
import type { RiskKind } from '#contract/waiting.ts';
import type { Reader } from '#server/db/tx.ts';
import { countFailedDeliveries } from '#server/events/failed-deliveries.ts';
import { LIMITS } from '#server/lib/limits.ts';
import { areBooksSound, missingRestoreDrill } from '#server/modules/books/index.ts';
import { unsealedAgeS } from '#server/modules/ledger/index.ts';
import {
  dutiesSwitchedOn,
  isInForce,
  peopleNeeded,
  readDuties,
} from '#server/modules/security/index.ts';
import { readSettings } from '#server/modules/settings/index.ts';
import type { Services } from '#server/services.ts';

type Risks = RouteReply<'adminListRisks'>;

/** Number of cases, and the time of the first; null: there is no such risk now. */
type Found = { count: number; since: Date | null } | null;

/** Risks that an admin should remove before they cost something, the most urgent first. */
export async function listRisks(
  reader: Reader,
  { clock }: Pick<Services, 'clock'>,
): Promise<Risks> {
  const { admins, withoutTwoFactor } = await countAdmins(reader);
  const { setAside, givenUp } = await countFailedDeliveries(reader);
  const found: Record<RiskKind, Found> = {
    booksUnsound: (await areBooksSound(reader)) ? null : { count: 1, since: null },
    unsealedTail: await unsealedTail(reader, clock.now()),
    backupsFailing: await failingBackups(reader),
    restoreNotTried: await restoreNotTried(reader, { clock }),
    failedDeliveries: several(setAside + givenUp),
    depositsNotAtBank: await depositsNotAtBank(reader),
    oneAdmin: admins < ADMINS_TO_SEPARATE ? { count: 1, since: null } : null,
    ...(await openDuties(reader, admins)),
    adminsWithoutTwoFactor: several(withoutTwoFactor),
  };
  return {
    items: RISK_KINDS.flatMap((kind) => {
      const risk = found[kind];
      return risk === null
        ? []
        : [{ kind, count: risk.count, since: risk.since?.toISOString() ?? null }];
    }),
  };
}

/**
 * Deposits that were approved since the first statement of the company's bank, on a day that statements have, and that no
 * line is matched with: the person may have money that never arrived.
 */
async function depositsNotAtBank(reader: Reader): Promise<Found> {
  const { timeZone } = await readSettings(reader);
  const { rows } = await sql<{ count: number; since: Date | null }>`
    SELECT count(*)::int AS count, min(moved_at) AS since
      FROM deposit, (SELECT coalesce(min(started_at), '-infinity') AS started_at FROM bank_start) AS start,
           (SELECT max(to_day) AS to_day FROM bank_statement) AS last
     WHERE status = 'approved' AND moved_at >= start.started_at
       AND moved_at < (last.to_day + 1)::timestamp AT TIME ZONE ${timeZone}
       AND NOT EXISTS (SELECT FROM bank_match WHERE item_id = deposit.id AND undone_at IS NULL)`.execute(
    reader,
  );
  const [found] = rows;
  return found === undefined || found.count === 0 ? null : found;
}

function several(count: number): Found {
  return count === 0 ? null : { count, since: null };
}

/**
 * Those who can sign in. A passkey in addition to the password does not close the way by the password
 * alone.
 */
async function countAdmins(reader: Reader): Promise<{ admins: number; withoutTwoFactor: number }> {
  const { rows } = await sql<{ admins: number; withoutTwoFactor: number }>`
    SELECT count(*)::int AS admins,
           count(*) FILTER (WHERE NOT two_factor_enabled)::int AS without_two_factor
      FROM app_user WHERE role = 'admin' AND deactivated_at IS NULL`.execute(reader);
  return rows[0] ?? { admins: 0, withoutTwoFactor: 0 };
}

/**
 * Number of duties for which no amount takes two administrators, and of those that are switched on, which too few
 * administrators can fulfil yet, or can by now. A company of one cannot separate any.
 */
async function openDuties(
  reader: Reader,
  admins: number,
): Promise<Record<'dutiesTogether' | 'dutiesNotInForce', Found>> {
  const duties = await readDuties(reader);
  const on = dutiesSwitchedOn(duties.settings);
  const lacking = admins < peopleNeeded(on) ? on : on.filter((duty) => !isInForce(duties, duty));
  return {
    dutiesTogether: admins < ADMINS_TO_SEPARATE ? null : several(DUTY_SETTINGS.length - on.length),
    dutiesNotInForce: admins < ADMINS_TO_SEPARATE ? null : several(lacking.length),
  };
}

async function unsealedTail(reader: Reader, now: Date): Promise<Found> {
  const ageMs = (await unsealedAgeS(reader)) * 1_000;
  if (ageMs <= LIMITS.seal.waitsAtMostMs) return null;
  return { count: 1, since: new Date(now.getTime() - ageMs) };
}

/**
 * Backups: Purser knows what PostgreSQL knows, that is, if its log still reaches the archive that a
 * backup is restored from. Where nothing is archived, backups are made in another way, and nobody here
 * can tell their age.
 */
async function failingBackups(reader: Reader): Promise<Found> {
  const { rows } = await sql<{ since: Date | null }>`
    SELECT last_archived_time AS since FROM pg_stat_archiver
     WHERE last_failed_time > coalesce(last_archived_time, '-infinity')`.execute(reader);
  return rows[0] === undefined ? null : { count: 1, since: rows[0].since };
}

async function restoreNotTried(reader: Reader, services: Pick<Services, 'clock'>): Promise<Found> {
  const lacking = await missingRestoreDrill(reader, services);
  return lacking === null ? null : { count: 1, ...lacking };
}
