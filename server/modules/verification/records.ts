import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { Reader } from '#server/db/tx.ts';
import type { Finding } from '#server/modules/ledger/index.ts';
import { faulty, listed, part } from './check.ts';
import type { Fault, ScopedCheck, Sql } from './check.ts';
import type { Touched, Within } from './scope.ts';

/** SQL of the facts of a row, under the names that its record has for them. */
export type Facts = Readonly<Record<string, Sql>>;

/** SQL of a fact that an audit row states, as text; null where it states none. */
export function fact(event: string, name: string): string {
  return `${event}.details ->> '${name}'`;
}

/** SQL of a time as the audit trail states one: `2026-12-08T15:00:00.000Z`. */
export function isoTime(column: string): string {
  return `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
}

/**
 * SQL of the names of those facts which a row has otherwise than its audit row states them, such as `amountMinor,
 * walletId`; null when there are none. A fact that was not recorded is not compared: rows made before Purser recorded it
 * have no other record.
 */
export function changedFacts(event: string, facts: Facts): RawBuilder<unknown> {
  const names = Object.entries(facts).map(
    ([name, today]) =>
      sql`CASE WHEN ${sql.raw(fact(event, name))} <> (${part(today)})::text THEN ${sql.lit(name)} END`,
  );
  return sql`nullif(concat_ws(', ', ${sql.join(names)}), '')`;
}

interface Recorded {
  /** Begin of the check's name. */
  readonly name: string;
  readonly table: string;
  readonly scope: keyof Touched;
  /** Its column with the ids of the scope, where they are not its own. */
  readonly scopedBy?: string;
  /** Event of the record, or SQL of such records: a table with subject_id and details. */
  readonly event: string | ((scope: Within) => RawBuilder<unknown>);
  readonly facts: Facts;
  /** Event of the record with the day on which it left the bank. */
  readonly leftBank?: string;
  /** Sentence about a row without a record, where no other check finds that. */
  readonly missing?: string;
  /** More SQL after FROM, and more faults of a row `thing` with its record `made`. */
  readonly from?: (scope: Within) => RawBuilder<unknown>;
  readonly faults?: readonly Fault[];
}

const LEFT_BANK: Fault = [
  `(to_char(thing.left_bank_on, 'YYYY-MM-DD'), thing.bank_reference)
     IS DISTINCT FROM (${fact('completed', 'leftBankOn')}, ${fact('completed', 'bankReference')})`,
  'left the bank otherwise than its completion recorded',
];

/** The check that a row is what its record says. */
export function recordCheck(recorded: Recorded): ScopedCheck {
  const { name, table, scope: of, scopedBy = 'thing.id' } = recorded;
  const { event, leftBank, missing, from, faults = [] } = recorded;
  const ofEvent = (action: string, alias: string) => sql`audit_event AS ${sql.raw(alias)}
    ON ${sql.raw(alias)}.subject_id = thing.id AND ${sql.raw(alias)}.subject_type = ${table}
   AND ${sql.raw(alias)}.action = ${action}`;
  const made = (scope: Within) =>
    typeof event === 'string'
      ? ofEvent(event, 'made')
      : sql`${event(scope)} AS made ON made.subject_id = thing.id`;
  return {
    name: `${name}-record`,
    query: (scope) =>
      faulty({
        id: 'thing.id',
        from: sql`${sql.table(table)} AS thing
          ${sql.raw(missing === undefined ? 'JOIN' : 'LEFT JOIN')} ${made(scope)}
          ${leftBank === undefined ? sql`` : sql`LEFT JOIN ${ofEvent(leftBank, 'completed')}`}
          ${from?.(scope) ?? sql``}
         CROSS JOIN LATERAL (SELECT ${changedFacts('made', recorded.facts)} AS names) AS changed`,
        where: scope[of](scopedBy),
        faults: [
          ...(missing === undefined ? [] : [['made.subject_id IS NULL', missing] as const]),
          ...faults,
          ['changed.names IS NOT NULL', 'was made with other values: %s', 'changed.names'],
          ...(leftBank === undefined ? [] : [LEFT_BANK]),
        ],
      }),
  };
}

interface State extends Pick<Recorded, 'name' | 'table' | 'scopedBy' | 'faults'> {
  /** Left out for people, who are always compared. */
  readonly scope?: keyof Touched;
  /** SQL of the condition that a row `thing` has the state, and the word for it. */
  readonly state: string;
  readonly is: string;
  /** Events after which it has the state, and those after which it has not. */
  readonly begins: readonly string[];
  readonly ends?: readonly string[];
}

/** The check that a row has a state exactly where the newest record about that, `newest`, says so. */
export function newestCheck(compared: State): ScopedCheck {
  const { name, table, scope: of, scopedBy = 'thing.id', state, is, begins, ends = [] } = compared;
  const events = sql`action IN (${listed([...begins, ...ends])})`;
  const ofPeople = sql`(SELECT DISTINCT ON (person_id) person_id, action, actor_id FROM audit_event
    WHERE ${events} AND person_id IS NOT NULL ORDER BY person_id, id DESC) AS newest
    ON newest.person_id = thing.id`;
  const ofThing = sql`LATERAL (SELECT action, actor_id FROM audit_event
    WHERE subject_type = ${table} AND subject_id = thing.id AND ${events}
    ORDER BY id DESC LIMIT 1) AS newest ON true`;
  return {
    name,
    query: (scope) =>
      faulty({
        id: 'thing.id',
        from: sql`${sql.table(table)} AS thing LEFT JOIN ${of === undefined ? ofPeople : ofThing}`,
        where: of === undefined ? 'true' : scope[of](scopedBy),
        faults: [
          ...(compared.faults ?? []),
          [
            sql`(${sql.raw(state)}) <> coalesce(newest.action IN (${listed(begins)}), false)`,
            `%s ${is}; its newest record of that is %s`,
            ...[
              `CASE WHEN ${state} THEN 'is' ELSE 'is not' END`,
              `coalesce(newest.action, 'none')`,
            ],
          ],
        ],
      }),
  };
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
    id: 'coalesce(shown.id, recorded.id)',
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
    where: 'true',
    faults: [
      ['recorded.id IS NULL', 'has no record of %s', 'shown.action'],
      ['shown.id IS NULL', `has a record of %s, which no ${noun} shows`, 'recorded.action'],
      ['recorded.times <> 1', 'has %s records of %s', 'recorded.times', 'recorded.action'],
      [
        'recorded.actor_id IS DISTINCT FROM shown.actor_id',
        'names %s for %s; its record names %s',
        ...['shown.actor_id', 'shown.action', 'recorded.actor_id'],
      ],
      [
        `CASE WHEN shown.is_decision
              THEN recorded.actor_role <> 'admin' OR recorded.actor_id = shown.owner_id
              ELSE recorded.actor_id <> shown.owner_id END`,
        'has a record of %s by %s, who may not do that',
        ...['recorded.action', 'recorded.actor_id'],
      ],
      [
        `recorded.at <> ${isoTime('shown.at')}`,
        'shows %s at %s; its record says %s',
        ...['shown.action', isoTime('shown.at'), 'recorded.at'],
      ],
      [
        'recorded.transaction_id <> shown.transaction_id::text',
        'names the posting %s; its record of %s names %s',
        ...['shown.transaction_id', 'recorded.action', 'recorded.transaction_id'],
      ],
    ],
  });
}
