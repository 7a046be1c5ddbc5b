import { sql } from 'kysely';
import { pageOf } from '#server/db/paging.ts';
import type { Page, PageRequest } from '#server/db/paging.ts';
import type { Reader } from '#server/db/tx.ts';

/** An admin's action that concerns a person. */
export interface TrailEntry {
  action: string;
  subjectType: string;
  details: unknown;
  /** Name of the admin. */
  by: string;
  at: Date;
}

/** Actions by admins that concern a person, limited to these action names, newest first. */
export function readTrail(
  reader: Reader,
  { personId, actions, page }: { personId: string; actions: readonly string[]; page: PageRequest },
): Promise<Page<TrailEntry>> {
  const trail = reader
    .selectFrom('auditEvent')
    .innerJoin('appUser', 'appUser.id', 'auditEvent.actorId')
    .select(['action', 'subjectType', 'details', 'at', 'appUser.name as by'])
    .where('personId', '=', personId)
    .where('actorRole', '=', 'admin')
    .where('actorId', '<>', personId)
    .where('action', 'in', actions)
    .orderBy('auditEvent.id', 'desc');
  return pageOf((offset, limit) => trail.offset(offset).limit(limit).execute(), page);
}

/** A value that a record states, with its actor. */
export interface Stated {
  value: string;
  actorId: string | null;
}

/**
 * The newest value that a written record of a subject states under a key; undefined where none does. A row is compared
 * with it where it could have been changed past the commands (decision 056).
 */
export async function lastStated(
  reader: Reader,
  subject: { type: string; id: string },
  { key, action }: { key: string; action?: string },
): Promise<Stated | undefined> {
  const { rows } = await sql<Stated>`
    SELECT details ->> ${key} AS value, actor_id FROM audit_event
     WHERE subject_type = ${subject.type} AND subject_id = ${subject.id} AND details ? ${key}
       AND action = coalesce(${action ?? null}, action)
     ORDER BY id DESC LIMIT 1`.execute(reader);
  return rows[0];
}
