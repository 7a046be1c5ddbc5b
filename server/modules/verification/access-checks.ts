import { sql } from 'kysely';
import { faulty, unequal } from './check.ts';
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
    `CASE WHEN ${column} IS NULL THEN 'works' ELSE 'has ended' END`,
    `coalesce(ended.action, 'none')`,
  ];
}

const MADE_BY = unequal({ 'made by': ['thing.created_by', 'made.actor_id'] });
const NOT_MADE = 'has no record of being made';

/**
 * The check that what counts to limits of amounts is the sum of what records say was moved. Only the present month and
 * day limit anything; a month that began in another time zone is looked at as well.
 */
export const amountsUsed: ScopedCheck = {
  name: 'amounts-used',
  query: () =>
    faulty({
      id: `coalesce(used.limit_name, recorded.limit_name)`,
      from: sql`(SELECT limit_name, coalesce(subject_id::text, '') AS subject_id, since, amount_minor
                   FROM amount_used WHERE since > now() - interval '32 days') AS used
        FULL JOIN (
          SELECT counted.limit_name, counted.subject_id, counted.since, sum(minor) AS amount_minor
            FROM audit_event AS event
            CROSS JOIN LATERAL (
              SELECT name AS limit_name, (event.details ->> 'aloneSince')::date AS since,
                     CASE name WHEN 'bankAccount' THEN event.person_id::text ELSE '' END AS subject_id,
                     (event.details ->> 'usedMinor')::bigint AS minor
                FROM jsonb_array_elements_text(event.details -> 'aloneIn') AS name
              UNION ALL
              SELECT 'apiKey', (event.details ->> 'keyDay')::date, event.details ->> 'apiKeyId',
                     (event.details ->> 'usedMinor')::bigint
               WHERE event.details ? 'keyDay') AS counted
           WHERE event.details ? 'usedMinor' AND event.at > now() - interval '62 days'
             AND counted.since > now() - interval '32 days'
           GROUP BY counted.limit_name, counted.subject_id, counted.since) AS recorded
          USING (limit_name, subject_id, since)`,
      where: 'coalesce(used.amount_minor, 0) <> coalesce(recorded.amount_minor, 0)',
      faults: [
        [
          'true',
          'has %s counted since %s; its records say %s',
          'coalesce(used.amount_minor, 0)',
          'since',
          'coalesce(recorded.amount_minor, 0)',
        ],
      ],
    }),
};

/** The checks that what lets people and systems in, or sends events out, is what an admin made. */
export const accessChecks: readonly ScopedCheck[] = [
  recordCheck({
    name: 'api-key',
    table: 'api_key',
    scope: 'always',
    event: 'api_key.created',
    missing: NOT_MADE,
    from: endOf('api_key', 'api_key.revoked'),
    faults: [
      MADE_BY,
      endedOtherwise('thing.revoked_at'),
      [
        `thing.daily_limit_minor IS NOT NULL AND NOT made.details ? 'dailyLimitMinor'`,
        'has a limit that its record does not have',
      ],
    ],
    facts: {
      dailyLimitMinor: `coalesce(thing.daily_limit_minor::text, 'none')`,
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
