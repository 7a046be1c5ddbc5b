import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { AUDIT_THINGS } from '#contract/audit.ts';
import type { AuditThing } from '#contract/audit.ts';
import { auditList } from '#contract/lists.ts';
import { descending, key } from '#server/db/list-order.ts';
import { readsList } from '#server/db/list.ts';
import { momentColumns } from '#server/lib/csv-moments.ts';
import { plainCell, textCell } from '#server/lib/csv.ts';
import type { CompanySettings } from '#server/modules/settings/index.ts';
import { endOfDay, startOfDay } from '#server/modules/history/index.ts';
import { presentAuditEvent, readAuditRows } from './audit-rows.ts';
import type { AuditRow } from './audit-rows.ts';

const NEWEST = descending(key(sql`event.id`, 'whole'));

/**
 * So many records may have been numbered in another order than that of their moments: those that were
 * written concurrently. Far more than there are connections.
 */
const AT_ONCE = 1_000;

/** The records of some kinds of things, each kind read by its index (subject_type, id). */
function eventsOf(thing: AuditThing | 'all'): RawBuilder<unknown>[] {
  if (thing === 'all') return [sql`audit_event AS event`];
  return AUDIT_THINGS[thing].map(
    (type) => sql`(SELECT * FROM audit_event WHERE subject_type = ${type}) AS event`,
  );
}

/** Every record of the audit trail, newest first. A day is found by its moment, then read by number. */
export const auditEvents = readsList(auditList, {
  from: ({ thing }) => eventsOf(thing),
  id: sql`event.id`,
  where: {
    role: (role) => sql`event.actor_role = ${role}`,
    // The kinds are chosen by which table is read.
    thing: () => sql`true`,
    by: (id) => sql`event.actor_id = ${id}`,
    person: (id) => sql`event.person_id = ${id}`,
    subject: (id) => sql`event.subject_id = ${id}
      AND event.subject_type = ANY (${Object.values(AUDIT_THINGS).flat()}::text[])`,
    from: (day, { timeZone }: CompanySettings) => {
      const start = startOfDay(day, timeZone);
      return sql`event.at >= ${start} AND event.id >= coalesce(
        (SELECT id FROM audit_event WHERE at >= ${start} ORDER BY at LIMIT 1) - ${sql.lit(AT_ONCE)},
        9223372036854775807)`;
    },
    to: (day, { timeZone }: CompanySettings) => {
      const end = endOfDay(day, timeZone);
      return sql`event.at < ${end} AND event.id <= coalesce(
        (SELECT id FROM audit_event WHERE at < ${end} ORDER BY at DESC LIMIT 1)
          + ${sql.lit(AT_ONCE)}, 0)`;
    },
  },
  search: { person: 'event.person_id' },
  segments: () => [{ order: NEWEST }],
  rows: readAuditRows,
  present: (row: AuditRow, _settings: CompanySettings) => presentAuditEvent(row),
  csv: [
    { header: 'Record', cell: ({ id }) => plainCell(id) },
    ...momentColumns('Time', ({ at }: AuditRow) => at),
    { header: 'Role', cell: ({ role }) => plainCell(role) },
    { header: 'Who', cell: ({ actorName }) => textCell(actorName ?? '') },
    { header: 'Act', cell: ({ action }) => plainCell(action) },
    { header: 'Thing', cell: ({ subjectType }) => plainCell(subjectType) },
    { header: 'Thing ID', cell: ({ subjectId }) => plainCell(subjectId ?? '') },
    { header: 'Reference', cell: ({ subject }) => textCell(subject ?? '') },
    { header: 'Person', cell: ({ personName }) => textCell(personName ?? '') },
    { header: 'Details', cell: ({ details }) => textCell(JSON.stringify(details)) },
    { header: 'Address', cell: ({ ipAddress }) => plainCell(ipAddress ?? '') },
    { header: 'Request', cell: ({ requestId }) => plainCell(requestId ?? '') },
  ],
});
