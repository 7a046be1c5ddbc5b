import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { PayrollPreview, RouteReply } from '#contract/api.ts';
import type { Department } from '#contract/company.ts';
import { DIFFERENCE_ROWS } from '#contract/limits.ts';
import { money } from '#contract/money.ts';
import type { Currency } from '#contract/money.ts';
import { PAYROLL_DIFFERENCES } from '#contract/payroll.ts';
import type { PayrollDifference, PayrollLineReason } from '#contract/payroll.ts';
import { sortedName } from '#server/db/person-order.ts';
import type { Comparison } from './last-payroll.ts';
import type { PayrollOrder } from './order.ts';

export type Differences = NonNullable<PayrollPreview['differences']>;
export type DifferingPerson = RouteReply<'adminListPayrollDifferences'>['rows'][number];
export type Acknowledged = Differences['groups'][number]['acknowledged'];

/**
 * Common table expressions, to be put after `decided` (`decideLines`), that compare it with the last payroll:
 *
 * - `last_paid` (user_id, minor): what the last payroll paid each of the people who could be in this one. A payroll to
 *   a department leaves out those who were paid in another one and are of another one now.
 * - `compared` (user_id, last_minor, minor, reason, difference): everyone of both, and the reason why who is gone is
 *   skipped. `difference` is `new`, `gone`, `changed`
 *   (by more than the percent), `smaller` (by less) or `same`. Compared in whole numbers, so that a change of exactly the
 *   percent is none of the differences.
 * - `difference` (groups, sums, hash): one row. `groups` are those that have to be acknowledged, `sums` the people and
 *   the money of each difference as JSON, and `hash` the SHA-256 over what everyone got last time; null without a last
 *   payroll.
 */
export function compareWithLast(
  { department }: Pick<PayrollOrder, 'department'>,
  { last, percent, asOf }: Comparison,
): RawBuilder<unknown> {
  const batchIds = sql`${last?.batchIds ?? []}::uuid[]`;
  const left = sql`(line.amount_minor - ${asOf === null ? sql`line.reversed_minor` : reversedUntil(asOf)})`;
  return sql`
    last_paid AS MATERIALIZED (
      SELECT line.user_id, sum(${left})::bigint AS minor FROM payroll_line AS line
       WHERE line.batch_id = ANY (${batchIds}) AND line.status IN ('processed', 'reversed')
         AND ${asOf === null ? sql`true` : sql`line.processed_at <= ${asOf}`}
         AND ${department === 'all' ? sql`true` : sql`line.user_id IN (${possible(department, batchIds)})`}
       GROUP BY line.user_id HAVING sum(${left}) > 0
    ), compared AS MATERIALIZED (
      SELECT user_id, last_paid.minor AS last_minor, this.minor, this.reason,
             CASE WHEN last_paid.minor IS NULL THEN 'new'
                  WHEN this.minor IS NULL THEN 'gone'
                  WHEN this.minor = last_paid.minor THEN 'same'
                  WHEN abs(this.minor - last_paid.minor)::numeric * 100
                       > last_paid.minor::numeric * ${percent}::integer THEN 'changed'
                  ELSE 'smaller' END AS difference
        FROM (SELECT user_id, CASE WHEN wallet_id IS NOT NULL THEN amount_minor END AS minor,
                     CASE WHEN wallet_id IS NULL THEN problem END AS reason FROM decided) AS this
        FULL JOIN last_paid USING (user_id)
       WHERE ${last !== null} AND coalesce(this.minor, last_paid.minor) IS NOT NULL
    ), difference AS (
      SELECT array_remove(ARRAY[
               max('new') FILTER (WHERE difference = 'new'), max('gone') FILTER (WHERE difference = 'gone'),
               max('changed') FILTER (WHERE difference = 'changed'),
               max('total') FILTER (WHERE difference <> 'same')], NULL) AS groups,
             coalesce(json_object_agg(difference, json_build_object('people', people,
               'lastMinor', last_minor::text, 'minor', minor::text)), '{}') AS sums,
             CASE WHEN ${last !== null} THEN (
               SELECT sha256(convert_to(${`${last?.on ?? ''} ${percent}`}, 'UTF8') || '\\x00'::bytea || coalesce(string_agg(
                        uuid_send(user_id) || int8send(minor), ''::bytea ORDER BY user_id), ''::bytea)) FROM last_paid) END AS hash
        FROM (SELECT difference, count(*) AS people, coalesce(sum(last_minor), 0) AS last_minor,
                     coalesce(sum(minor), 0) AS minor
                FROM compared GROUP BY difference) AS each_one
    )`;
}

/** SQL of the money that was taken back of `line` up to a moment. */
function reversedUntil(asOf: Date): RawBuilder<unknown> {
  return sql`CASE WHEN line.reversed_minor = 0 THEN 0 ELSE (
    SELECT coalesce(sum(reversal.amount_minor), 0)::bigint FROM payroll_reversal AS reversal
     WHERE reversal.line_id = line.id AND reversal.reversed_at <= ${asOf}) END`;
}

/** SQL of the people who could be in a payroll to a department, or to those who are chosen. */
function possible(
  department: PayrollOrder['department'],
  batchIds: RawBuilder<unknown>,
): RawBuilder<unknown> {
  return sql`
    SELECT user_id FROM decided
     UNION SELECT id FROM app_user WHERE department = ${department}
     UNION SELECT earlier.user_id FROM payroll_line AS earlier
             JOIN payroll_batch ON payroll_batch.id = earlier.batch_id
            WHERE earlier.batch_id = ANY (${batchIds}) AND payroll_batch.department = ${department}`;
}

type GroupOfPeople = Exclude<PayrollDifference, 'total'>;

/** A person of `compared`, as JSON. */
export interface DifferingRow {
  group: GroupOfPeople;
  person: { id: string; name: string; employeeId: string | null; department: Department };
  /** In minor units. */
  last: string | null;
  amount: string | null;
  reason: PayrollLineReason | null;
  joinedAt: string | null;
  leftAt: string | null;
}

/**
 * SQL of the people of `compared` by name as a JSON array of {@link DifferingRow}, so many of each group.
 *
 * @param only a group, and the number of people before those that are returned; left out: the first of all groups
 */
export function differingRows(only?: {
  group: GroupOfPeople | 'smaller';
  after: number;
}): RawBuilder<DifferingRow[]> {
  const after = only?.after ?? 0;
  return sql<DifferingRow[]>`(
    SELECT coalesce(json_agg(json_build_object(
             'group', difference, 'last', last_minor::text, 'amount', minor::text, 'reason', reason,
             'joinedAt', accepted_at, 'leftAt', deactivated_at,
             'person', json_build_object('id', id, 'name', name, 'employeeId', employee_number,
                                         'department', department)) ORDER BY place), '[]')
      FROM (SELECT compared.difference, compared.last_minor, compared.minor, compared.reason,
                   person.id, person.name, person.employee_number, person.department,
                   person.accepted_at, person.deactivated_at,
                   row_number() OVER (PARTITION BY compared.difference
                                      ORDER BY ${sortedName('person')}, person.first_name, person.id) AS place
              FROM compared
              JOIN app_user AS person ON person.id = compared.user_id
             WHERE compared.difference = ANY (${only === undefined ? ['new', 'gone', 'changed'] : [only.group]}::text[])
           ) AS placed
     WHERE place > ${after} AND place <= ${after + DIFFERENCE_ROWS})`;
}

export function presentDiffering(row: DifferingRow, currency: Currency): DifferingPerson {
  const momentOf = (at: string | null) => (at === null ? null : new Date(at).toISOString());
  const amountOf = (minor: string | null) =>
    minor === null ? null : money(BigInt(minor), currency);
  return {
    ...row.person,
    last: amountOf(row.last),
    amount: amountOf(row.amount),
    reason: row.reason,
    joinedAt: momentOf(row.joinedAt),
    leftAt: momentOf(row.leftAt),
  };
}

/** Columns of `difference`, and the people of its groups. */
export interface DifferenceRow {
  groups: PayrollDifference[];
  /** Sums in minor units, last time and now; left out where nobody is. */
  sums: Partial<Record<GroupOfPeople | 'smaller' | 'same', SumRow>>;
  rows: DifferingRow[];
}

interface SumRow {
  people: number;
  lastMinor: string;
  minor: string;
}

const NOBODY: SumRow = { people: 0, lastMinor: '0', minor: '0' };

/**
 * The differences of a payroll as an administrator sees them; null where nothing was compared, or nothing differs.
 *
 * @param acknowledged those who acknowledged each group
 */
export function presentDifferences(
  { groups, sums, rows }: DifferenceRow,
  { last, percent, currency }: Pick<Comparison, 'last' | 'percent'> & { currency: Currency },
  acknowledged: ReadonlyMap<PayrollDifference, Acknowledged>,
): Differences | null {
  if (last === null || groups.length === 0) return null;
  const all = Object.values(sums);
  const total = (minor: bigint) => money(minor, currency);
  const more = (sum: SumRow) => BigInt(sum.minor) - BigInt(sum.lastMinor);
  const before = all.filter(({ lastMinor }) => lastMinor !== '0');
  const now = all.filter(({ minor }) => minor !== '0');
  const people = (some: readonly SumRow[]) => some.reduce((count, one) => count + one.people, 0);
  const summed = (some: readonly bigint[]) => some.reduce((sum, one) => sum + one, 0n);
  const smaller = sums.smaller ?? NOBODY;
  return {
    lastOn: last.on,
    percent,
    groups: PAYROLL_DIFFERENCES.filter((group) => groups.includes(group)).map((group) => ({
      group,
      ...(group === 'total'
        ? { people: people(now), total: total(summed(all.map(more))) }
        : { people: sums[group]?.people ?? 0, total: total(more(sums[group] ?? NOBODY)) }),
      rows: rows.filter((row) => row.group === group).map((row) => presentDiffering(row, currency)),
      acknowledged: acknowledged.get(group) ?? [],
    })),
    smaller: { people: smaller.people, total: total(more(smaller)) },
    last: {
      people: people(before),
      total: total(summed(before.map(({ lastMinor }) => BigInt(lastMinor)))),
    },
  };
}
