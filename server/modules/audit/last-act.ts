import { THINGS } from '#contract/things/all.ts';
import { verbsOf } from '#contract/things/words.ts';
import { zoneOf } from '#contract/time-zones.ts';
import type { Reader } from '#server/db/tx.ts';

/** Acts that may cause others to be refused, in the form that follows the person's name. */
const VERBS: Readonly<Record<string, string>> = Object.fromEntries(
  THINGS.flatMap((thing) => Object.entries(verbsOf(thing))),
);

/**
 * Sentence about the last act on a thing that somebody else can no longer decide on: "Renee
 * Albright approved this at 9:41 AM.", in the company's time. For the details of a refusal; empty
 * if the audit trail has no such act.
 */
export async function describeLastAct(
  reader: Reader,
  subject: { type: string; id: string },
): Promise<{ lastAct?: string }> {
  const row = await reader
    .selectFrom('auditEvent')
    .leftJoin('appUser', 'appUser.id', 'auditEvent.actorId')
    // The settings are one row.
    .innerJoin('companySettings', (join) => join.onTrue())
    .select(['action', 'at', 'appUser.name', 'timeZone'])
    .where('subjectType', '=', subject.type)
    .where('subjectId', '=', subject.id)
    .where('action', 'in', Object.keys(VERBS))
    .orderBy('auditEvent.id', 'desc')
    .limit(1)
    .executeTakeFirst();
  // Purser itself is nobody who was faster.
  if (row === undefined || row.name === null) return {};
  const verb = VERBS[row.action];
  if (verb === undefined) return {};
  return { lastAct: `${row.name} ${verb} ${momentOf(row.at, zoneOf(row.timeZone))}.` };
}

/** "on Nov 25 at 9:41 AM" */
function momentOf(at: Date, timeZone: string): string {
  const day = at.toLocaleDateString('en-US', { timeZone, month: 'short', day: 'numeric' });
  const time = at.toLocaleTimeString('en-US', { timeZone, hour: 'numeric', minute: '2-digit' });
  // Newer locale data has a narrow no-break space before AM and PM.
  return `on ${day} at ${time.replaceAll('\u202F', ' ')}`;
}
