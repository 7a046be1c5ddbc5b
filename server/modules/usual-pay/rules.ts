import { sql } from 'kysely';
import { addDays, dayIn } from '#contract/calendar.ts';
import { USUAL_PAY_ALONE_DAYS, USUAL_PAY_PAYDAYS } from '#contract/usual-pay.ts';
import type { Reader } from '#server/db/tx.ts';
import { paydaysAfter } from '#server/lib/calendar.ts';
import { writeDay } from '#server/lib/write-day.ts';
import type { CompanySettings } from '#server/modules/settings/index.ts';

/** Paydays that a change can begin with: today's and later ones. None without a schedule, when every day can. */
export function paydaysToBegin(settings: CompanySettings, now: Date): string[] {
  const yesterday = addDays(dayIn(settings.timeZone, now), -1);
  return paydaysAfter(settings, yesterday, USUAL_PAY_PAYDAYS).map(({ on }) => on);
}

/** `problemOfDay` for the rows of a file, which have a few days: each is looked up once. */
export function dayProblems(
  settings: CompanySettings,
  now: Date,
): (validFrom: string) => string | undefined {
  const known = new Map<string, string | undefined>();
  return (validFrom) => {
    if (!known.has(validFrom)) known.set(validFrom, problemOfDay(settings, validFrom, now));
    return known.get(validFrom);
  };
}

/** Reason why a change cannot begin on a day; undefined if it can. */
export function problemOfDay(
  settings: CompanySettings,
  validFrom: string,
  now: Date,
): string | undefined {
  const today = dayIn(settings.timeZone, now);
  if (validFrom < today) return 'This day is over';
  if (validFrom > addDays(today, 7 * USUAL_PAY_PAYDAYS)) return 'Choose a day within a year';
  if (settings.schedule === null || paydaysToBegin(settings, now).includes(validFrom)) {
    return undefined;
  }
  const [next] = paydaysAfter(settings, validFrom, 1);
  return `Not a payday${next === undefined ? '' : `. The next one after it is ${writeDay(next.on)}`}`;
}

/** The moment since which changes count together that one person alone made. */
export function aloneSince(now: Date): Date {
  return new Date(now.getTime() - USUAL_PAY_ALONE_DAYS * 86_400_000);
}

/** Sum of the differences that one person alone made for somebody since a moment, in minor units. */
export async function changedAlone(
  reader: Reader,
  userId: string,
  { since }: { since: Date },
): Promise<bigint> {
  const { rows } = await sql<{ sumMinor: bigint }>`
    SELECT coalesce(sum(abs(line.amount_minor - line.before_minor)), 0)::bigint AS sum_minor
      FROM usual_pay_change AS change JOIN usual_pay_line AS line ON line.change_id = change.id
     WHERE change.user_id = ${userId} AND change.status = 'confirmed' AND NOT change.needs_second
       AND change.created_at > ${since}`.execute(reader);
  return rows[0]?.sumMinor ?? 0n;
}
