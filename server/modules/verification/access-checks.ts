import { sql } from 'kysely';
import { unequal } from './check.ts';
import type { Fault, ScopedCheck } from './check.ts';
import { changed, isoTime, recordCheck } from './records.ts';

/** SQL of the record that ended a thing, to be joined as `ended`. */
function endOf(about: string, event: string) {
  return () => sql`LEFT JOIN LATERAL (
    SELECT action FROM audit_event
     WHERE subject_type = ${sql.lit(about)} AND subject_id = thing.id AND action = ${sql.lit(event)}
     LIMIT 1) AS ended ON true`;
}

/** The fault that a row works although it was ended, or is ended without a record. */
function endedOtherwise(column: string): Fault {
  return [
    `(${column} IS NULL) <> (ended.action IS NULL)`,
    '%s; the record of its end is %s',
    ...[
      `CASE WHEN ${column} IS NULL THEN 'works' ELSE 'has ended' END`,
      `coalesce(ended.action, 'none')`,
    ],
  ];
}

const MADE_BY = unequal({ 'made by': ['thing.created_by', 'made.actor_id'] });
const NOT_MADE = 'has no record of being made';

/** The checks that what lets people and systems in, or sends events out, is what an admin made. */
export const accessChecks: readonly ScopedCheck[] = [
  recordCheck({
    name: 'api-key',
    table: 'api_key',
    scope: 'always',
    event: 'api_key.created',
    missing: NOT_MADE,
    from: endOf('api_key', 'api_key.revoked'),
    faults: [MADE_BY, endedOtherwise('thing.revoked_at')],
    facts: {
      name: 'thing.name',
      scopes: 'to_jsonb(thing.scopes)',
      days: 'trim_scale(extract(epoch FROM thing.expires_at - thing.created_at) / 86400)',
      tokenHash: `encode(thing.token_hash, 'hex')`,
    },
  }),
  recordCheck({
    name: 'webhook',
    table: 'webhook_endpoint',
    about: 'webhook',
    scope: 'always',
    event: 'webhook.created',
    missing: NOT_MADE,
    from: () => sql`${endOf('webhook', 'webhook.removed')()}
      LEFT JOIN LATERAL (
        SELECT details FROM audit_event
         WHERE subject_type = 'webhook' AND subject_id = thing.id
           AND action IN ('webhook.created', 'webhook.secret_rotated')
         ORDER BY id DESC LIMIT 1) AS signed ON true`,
    faults: [
      MADE_BY,
      endedOtherwise('thing.removed_at'),
      changed('signed', { secretHash: `encode(sha256(thing.secret_encrypted), 'hex')` }),
    ],
    facts: {
      urlHash: `encode(sha256(convert_to(thing.url, 'UTF8')), 'hex')`,
      events: 'to_jsonb(thing.events)',
    },
  }),
  recordCheck({
    name: 'invite',
    table: 'admin_invite',
    about: 'invite',
    scope: 'always',
    event: 'invite.created',
    missing: NOT_MADE,
    faults: [MADE_BY],
    facts: {
      boundToEmail: 'thing.email IS NOT NULL',
      tokenHash: `encode(thing.token_hash, 'hex')`,
      expiresAt: isoTime('thing.expires_at'),
    },
  }),
];
