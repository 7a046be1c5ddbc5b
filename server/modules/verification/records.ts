import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { Reader } from '#server/db/tx.ts';
import type { Finding } from '#server/modules/ledger/index.ts';
import { faulty } from './check.ts';

/** SQL of a fact that an audit row states, as text; null where it states none. */
export function fact(event: string, name: string): RawBuilder<string | null> {
  return sql<string | null>`${sql.ref(`${event}.details`)} ->> ${sql.lit(name)}`;
}

/** SQL of a time as the audit trail states one: `2026-12-08T15:00:00.000Z`. */
export function isoTime(column: string): RawBuilder<string | null> {
  return sql<string | null>`to_char(${sql.ref(column)} AT TIME ZONE 'UTC',
    'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
}

/**
 * SQL of the names of those facts which a row has otherwise than its audit row states them, such as
 * `amountMinor, walletId`; null when there are none. A fact that was not recorded is not compared:
 * rows made before Purser recorded it have no other record.
 */
export function changedFacts(
  event: string,
  facts: Readonly<Record<string, RawBuilder<unknown>>>,
): RawBuilder<string | null> {
  const names = Object.entries(facts).map(
    ([name, today]) => sql`CASE WHEN ${fact(event, name)} <> (${today})::text
                                THEN ${sql.lit(name)} END`,
  );
  return sql<string | null>`nullif(concat_ws(', ', ${sql.join(names)}), '')`;
}

/**
 * How many requests, bank accounts and batches were recorded before Purser recorded their facts, and
 * so are compared in part. It never grows: each command records all there is to compare.
 */
export async function countPartlyRecorded(reader: Reader): Promise<bigint> {
  const { rows } = await sql<{ count: bigint }>`
    SELECT count(DISTINCT subject_id) AS count FROM audit_event
     WHERE action IN ('withdrawal.requested', 'deposit.requested', 'bank_account.added',
                      'bank_account.updated', 'payroll.sent')
       AND NOT details ? 'at'`.execute(reader);
  return rows[0]?.count ?? 0n;
}

interface History {
  /** What the audit trail calls the thing. */
  subjectType: string;
  /** What the finding calls it. */
  noun: string;
  /** Of ids of such things. */
  where: (column: string) => RawBuilder<boolean>;
  /**
   * Every act that can be done to one, once each; others (looking at it, say) are not compared.
   */
  actions: readonly string[];
  /**
   * SQL of rows (id, owner_id, action, is_decision, actor_id, at, transaction_id): which acts a
   * thing shows, by whom, when and posted as what. What is no decision is done by the owner.
   */
  shown: RawBuilder<unknown>;
}

/**
 * The acts that a thing shows and the audit trail has not, those that the trail has and the thing
 * does not show, and those by others than it says. A decision is an admin's, and never on one's own.
 */
export function historyFindings(history: History): RawBuilder<Finding> {
  const { subjectType, noun, where, actions, shown } = history;
  return faulty({
    id: sql`coalesce(shown.id, recorded.id)`,
    from: sql`(${shown}) AS shown
      FULL JOIN (
        SELECT subject_id AS id, action, count(*) AS times, min(actor_id::text)::uuid AS actor_id,
               min(actor_role) AS actor_role, min(details ->> 'at') AS at,
               min(details ->> 'transactionId') AS transaction_id
          FROM audit_event
         WHERE subject_type = ${subjectType} AND action IN (${sql.join(actions)})
           AND ${where('subject_id')}
         GROUP BY subject_id, action) AS recorded
        ON recorded.id = shown.id AND recorded.action = shown.action`,
    where: sql`true`,
    faults: [
      [sql`recorded.id IS NULL`, sql`format('has no record of %s', shown.action)`],
      [
        sql`shown.id IS NULL`,
        sql`format('has a record of %s, which no ${sql.raw(noun)} shows', recorded.action)`,
      ],
      [
        sql`recorded.times <> 1`,
        sql`format('has %s records of %s', recorded.times, recorded.action)`,
      ],
      [
        sql`recorded.actor_id IS DISTINCT FROM shown.actor_id`,
        sql`format('names %s for %s; its record names %s', shown.actor_id, shown.action,
                   recorded.actor_id)`,
      ],
      [
        sql`CASE WHEN shown.is_decision
                 THEN recorded.actor_role <> 'admin' OR recorded.actor_id = shown.owner_id
                 ELSE recorded.actor_id <> shown.owner_id END`,
        sql`format('has a record of %s by %s, who may not do that', recorded.action,
                   recorded.actor_id)`,
      ],
      [
        sql`recorded.at <> ${isoTime('shown.at')}`,
        sql`format('shows %s at %s; its record says %s', shown.action, ${isoTime('shown.at')},
                   recorded.at)`,
      ],
      [
        sql`recorded.transaction_id <> shown.transaction_id::text`,
        sql`format('names the posting %s; its record of %s names %s', shown.transaction_id,
                   recorded.action, recorded.transaction_id)`,
      ],
    ],
  });
}
