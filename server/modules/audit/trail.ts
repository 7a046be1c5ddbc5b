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
