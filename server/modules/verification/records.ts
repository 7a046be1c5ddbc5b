import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { Reader } from '#server/db/tx.ts';
import { faulty, listed, part } from './check.ts';
import type { Fault, ScopedCheck, Sql } from './check.ts';
import type { ScopeName, Within } from './scope.ts';

/** SQL of the facts of a row, under the names that its record has for them. */
export type Facts = Readonly<Record<string, Sql>>;

/** Facts that have the names of columns: `amountMinor` is `thing.amount_minor`. */
export function columns(...names: readonly string[]): Facts {
  const columnOf = (name: string) =>
    name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  return Object.fromEntries(names.map((name) => [name, `thing.${columnOf(name)}`]));
}

/** SQL of a fact that an audit row states, as text; null where it states none. */
export function fact(event: string, name: string): string {
  return `${event}.details ->> '${name}'`;
}

/** SQL of a time as the audit trail states one: `2026-12-08T15:00:00.000Z`. */
export function isoTime(column: string): string {
  return `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
}

/** SQL of a day as the audit trail states one: `2026-12-08`. */
export function isoDay(column: string): string {
  return `to_char(${column}, 'YYYY-MM-DD')`;
}

/**
 * The fault that facts are others than an audit row states. A fact that was not recorded is not compared: rows made
 * before Purser recorded it have no other record.
 */
export function changed(event: string, facts: Facts): Fault {
  const names = Object.entries(facts).map(
    ([name, today]) =>
      sql`CASE WHEN ${sql.raw(fact(event, name))} <> (${part(today)})::text THEN ${sql.lit(name)} END`,
  );
  const all = sql`nullif(concat_ws(', ', ${sql.join(names)}), '')`;
  return [sql`${all} IS NOT NULL`, 'was recorded with other values: %s', all];
}

/** SQL of the record with that event of a row `thing`, to be joined. */
export function recordOf(table: string, event: string, alias: string): RawBuilder<unknown> {
  const record = sql.raw(alias);
  return sql`audit_event AS ${record} ON ${record}.subject_id = thing.id
    AND ${record}.subject_type = ${table} AND ${record}.action = ${event}`;
}

/** Rows `thing` of a table that are compared with their records. */
interface Compared {
  readonly name: string;
  readonly table: string;
  /** Scope with its column; that of the table by its ids if left out. */
  readonly scope?: readonly [name: ScopeName, column: string] | 'always';
  /** Subject type of its records; the table's name if left out. */
  readonly about?: string;
  readonly faults?: readonly Fault[];
}

function isWithin({ table, scope: by }: Compared, scope: Within) {
  if (by === 'always') return sql`true`;
  const [name, column] = by ?? [table as ScopeName, 'thing.id'];
  return scope[name](column);
}

interface Recorded extends Compared {
  /** Event of the record, or SQL of such records: a table with subject_id and details. */
  readonly event: string | ((scope: Within) => RawBuilder<unknown>);
  readonly facts: Facts;
  /** Event of the record of its payout, with the day on which it left the bank. */
  readonly paidOut?: string;
  /** Sentence about a row without a record, where no other check finds that. */
  readonly missing?: string;
  /** More SQL after FROM. The faults are about a row with its record `made`. */
  readonly from?: (scope: Within) => RawBuilder<unknown>;
}

const LEFT_BANK: Fault = [
  `(${isoDay('thing.left_bank_on')}, thing.bank_reference)
     IS DISTINCT FROM (${fact('done', 'leftBankOn')}, ${fact('done', 'bankReference')})`,
  'left the bank otherwise than its completion recorded',
];

/** The check that a row is what its record says. */
export function recordCheck(recorded: Recorded): ScopedCheck {
  const { name, table, about = table, event, facts, paidOut, missing, from } = recorded;
  const { faults = [] } = recorded;
  const made = (scope: Within) =>
    typeof event === 'string'
      ? recordOf(about, event, 'made')
      : sql`${event(scope)} AS made ON made.subject_id = thing.id`;
  return {
    name: `${name}-record`,
    query: (scope) =>
      faulty({
        id: 'thing.id',
        from: sql`${sql.table(table)} AS thing
          ${sql.raw(missing === undefined ? 'JOIN' : 'LEFT JOIN')} ${made(scope)}
          ${paidOut === undefined ? sql`` : sql`LEFT JOIN ${recordOf(table, paidOut, 'done')}`}
          ${from?.(scope) ?? sql``}`,
        where: isWithin(recorded, scope),
        faults: [
          ...(missing === undefined ? [] : [['made.subject_id IS NULL', missing] as const]),
          ...faults,
          ...(Object.keys(facts).length === 0 ? [] : [changed('made', facts)]),
          ...(paidOut === undefined ? [] : [LEFT_BANK]),
        ],
      }),
  };
}

interface State extends Compared {
  /** SQL of the condition that a row has the state, and the word for it. */
  readonly state: string;
  readonly is: string;
  /** Events after which it has the state, and those after which it has not. */
  readonly begins: readonly string[];
  readonly ends?: readonly string[];
}

/** The check that a row has a state exactly where the newest record about that, `newest`, says so. */
export function newestCheck(compared: State): ScopedCheck {
  const { name, table, state, is, begins, ends = [] } = compared;
  const events = sql`action IN (${listed([...begins, ...ends])})`;
  const isPerson = table === 'app_user';
  const newest = isPerson
    ? sql`(SELECT DISTINCT ON (person_id) person_id, action, actor_id FROM audit_event
            WHERE ${events} AND person_id IS NOT NULL ORDER BY person_id, id DESC) AS newest
          ON newest.person_id = thing.id`
    : sql`LATERAL (SELECT action, actor_id FROM audit_event
                    WHERE subject_type = ${table} AND subject_id = thing.id AND ${events}
                    ORDER BY id DESC LIMIT 1) AS newest ON true`;
  return {
    name,
    query: (scope) =>
      faulty({
        id: 'thing.id',
        from: sql`${sql.table(table)} AS thing LEFT JOIN ${newest}`,
        // People are always compared.
        where: isPerson ? 'true' : isWithin(compared, scope),
        faults: [
          ...(compared.faults ?? []),
          [
            sql`(${sql.raw(state)}) <> coalesce(newest.action IN (${listed(begins)}), false)`,
            `%s ${is}; its newest record of that is %s`,
            `CASE WHEN ${state} THEN 'is' ELSE 'is not' END`,
            `coalesce(newest.action, 'none')`,
          ],
        ],
      }),
  };
}

/**
 * Number of requests, bank accounts and batches that were recorded before Purser recorded their facts, and
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
