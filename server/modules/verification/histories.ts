import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { bankAccount } from '#contract/things/bank-account.ts';
import { bill } from '#contract/things/bill.ts';
import { deposit } from '#contract/things/deposit.ts';
import { payrollBatch } from '#contract/things/payroll-batch.ts';
import { eventOf } from '#contract/things/thing.ts';
import type { ActBy, Thing } from '#contract/things/thing.ts';
import { withdrawal } from '#contract/things/withdrawal.ts';
import { faulty, listed } from './check.ts';
import type { Fault, ScopedCheck } from './check.ts';
import { MOVED_BY } from './movements.ts';
import { isoTime } from './records.ts';
import type { ScopeName } from './scope.ts';

/** A kind of rows with the acts that can be done to them. All SQL about one is about a row `thing`. */
interface Kind {
  /** Begin of the check's name. */
  readonly name: string;
  readonly thing: Pick<Thing, 'event' | 'acts'> & { readonly name: ScopeName };
  /** Its owner; `thing.user_id` if left out. */
  readonly owner?: string;
  /** Person and time of its creation; left out where `<name>-record` compares them. */
  readonly made?: { by: string; at: string };
  /** Parts of the path that its row repeats; all if left out. */
  readonly keeps?: 'status' | 'nothing';
  /** The posting of each act that moves money. */
  readonly postings?: Readonly<Record<string, string>>;
}

const OWNER = 'thing.user_id';
const POSTING = 'thing.ledger_transaction_id';
const REVERSAL = `(SELECT id FROM ledger_transaction WHERE reverses_id = ${POSTING})`;

const ANOTHER_STATUS: Fault = [
  'act.is_last AND NOT thing.status = ANY (act.leads_to)',
  'is %s; its newest record is %s',
  'thing.status',
  'act.action',
];

/** A thing whose only act is that somebody makes it. Its row has neither a status nor a last act. */
function madeOnce(name: 'person_payment' | 'wallet_move', by: readonly ActBy[]): Kind['thing'] {
  const acts = by.map((who) => [who, { by: who, from: [], past: 'made' }] as const);
  return { name, acts: Object.fromEntries(acts) };
}

export const bankAccountHistory = historyCheck({
  name: 'bank-account',
  thing: bankAccount,
});

export const payrollHistory = historyCheck({
  name: 'payroll',
  thing: payrollBatch,
  owner: 'thing.created_by',
  keeps: 'status',
});

export const historyChecks: readonly ScopedCheck[] = [
  historyCheck({
    name: 'withdrawal',
    thing: withdrawal,
    made: {
      by: `CASE WHEN thing.payroll_line_id IS NULL THEN coalesce(thing.requested_by, ${OWNER}) END`,
      at: 'thing.requested_at',
    },
    postings: { complete: POSTING, return: REVERSAL },
  }),
  historyCheck({
    name: 'bill',
    thing: bill,
    made: {
      by: `CASE WHEN thing.standing_bill_id IS NULL THEN ${OWNER} END`,
      at: 'thing.requested_at',
    },
    postings: { complete: POSTING, return: REVERSAL },
  }),
  historyCheck({
    name: 'deposit',
    thing: deposit,
    made: { by: OWNER, at: 'thing.requested_at' },
    postings: { approve: POSTING },
  }),
  historyCheck({
    name: 'payment',
    thing: madeOnce('person_payment', ['owner']),
    owner: 'thing.payer_id',
    made: { by: 'thing.payer_id', at: 'thing.paid_at' },
    keeps: 'nothing',
    postings: { owner: POSTING },
  }),
  historyCheck({
    name: 'move',
    thing: madeOnce('wallet_move', ['owner', 'system', 'admin']),
    made: { by: MOVED_BY, at: 'thing.moved_at' },
    keeps: 'nothing',
    postings: { owner: POSTING },
  }),
];

/**
 * The check that the recorded acts of a row are a path of its declaration, each by somebody who may do it, that the path
 * ends in the row's status, and that the row keeps its last act. An act that moved money names its posting.
 */
export function historyCheck({
  name,
  thing,
  owner = OWNER,
  made,
  postings = {},
  keeps,
}: Kind): ScopedCheck {
  const acts = actsOf(thing);
  const moving = eventsOf(acts.filter(({ moves }) => moves));
  const entering = eventsOf(acts.filter(({ enters }) => enters));
  const isEntry = sql`act.action IN (${entering})`;
  const posting = Object.entries(postings).map(
    ([act, id]) => sql`WHEN ${sql.lit(eventOf(thing as Thing, act))} THEN ${sql.raw(id)}`,
  );
  const mayDo = sql.raw(`(
    act.actor_id IS NULL AND 'system' = ANY (act.may)
    OR act.actor_id = ${owner} AND 'owner' = ANY (act.may)
    OR act.actor_id <> ${owner} AND act.actor_role = 'admin' AND 'admin' = ANY (act.may)
    OR act.actor_role IN ('admin', 'apiKey') AND 'anyAdmin' = ANY (act.may))`);
  const faults: readonly Fault[] = [
    ...(made === undefined ? [] : [['act.id IS NULL', 'has no record of being made'] as const]),
    ['thing.id IS NULL', 'has a record of %s and does not exist', 'act.action'],
    [
      'act.id IS NOT NULL AND act.may IS NULL',
      'has a record of %s, which cannot follow %s',
      'act.action',
      `coalesce(nullif(act.previous, ''), 'nothing')`,
    ],
    [
      sql`act.id IS NOT NULL AND ${mayDo} IS NOT TRUE ${made === undefined ? sql`AND NOT ${isEntry}` : sql``}`,
      'has a record of %s by %s, who may not do that',
      'act.action',
      'act.actor_id',
    ],
    ...(made === undefined ? [] : [madeOtherwise(made)]),
    ...(keeps === 'nothing' ? [] : [ANOTHER_STATUS]),
    ...(keeps === undefined ? [anotherLastAct(isEntry)] : []),
    ...(posting.length === 0
      ? []
      : [
          [
            sql`act.transaction_id <> (CASE act.action ${sql.join(posting, sql` `)} END)::text`,
            'does not name the posting of its record of %s, %s',
            'act.action',
            'act.transaction_id',
          ] as const,
        ]),
  ];
  return {
    name: `${name}-history`,
    query: (scope) =>
      faulty({
        id: 'coalesce(thing.id, act.id)',
        from: sql`
          (SELECT * FROM ${sql.table(thing.name)} AS thing WHERE ${scope[thing.name]('thing.id')}) AS thing
          FULL JOIN (
            SELECT recorded.*, move.may, move.leads_to
              FROM (
                SELECT subject_id AS id, action, actor_id, actor_role, details ->> 'at' AS at,
                       details ->> 'transactionId' AS transaction_id,
                       event.id = max(event.id) FILTER (WHERE action IN (${moving})) OVER one AS is_last,
                       event.id = max(event.id) FILTER (WHERE action IN (${entering})) OVER one AS is_entry,
                       coalesce(substr(max(lpad(event.id::text, 19, '0') || action)
                         FILTER (WHERE action IN (${moving})) OVER earlier, 20), '') AS previous
                  FROM audit_event AS event
                 WHERE subject_type = ${thing.name} AND action IN (${eventsOf(acts)})
                   AND ${scope[thing.name]('subject_id')}
                WINDOW one AS (PARTITION BY subject_id),
                       earlier AS (PARTITION BY subject_id ORDER BY event.id
                                   ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)) AS recorded
              LEFT JOIN (VALUES ${sql.join(movesOf(acts))}) AS move (previous, action, may, leads_to)
                USING (previous, action)) AS act
            ON act.id = thing.id`,
        where: 'true',
        faults,
      }),
  };
}

function madeOtherwise({ by, at }: NonNullable<Kind['made']>): Fault {
  return [
    `act.is_entry AND (act.actor_id IS DISTINCT FROM ${by} OR act.at <> ${isoTime(at)})`,
    'was made by %s at %s; its record says %s, %s',
    by,
    at,
    'act.actor_id',
    'act.at',
  ];
}

/** A row in its first status, or one that was handed in again, keeps no last act. */
function anotherLastAct(isEntry: RawBuilder<unknown>): Fault {
  return [
    sql`act.is_last AND CASE WHEN ${isEntry} THEN num_nonnulls(thing.moved_at, thing.moved_by) > 0
        ELSE thing.moved_at IS NULL OR thing.moved_by IS DISTINCT FROM act.actor_id
             OR act.at <> ${sql.raw(isoTime('thing.moved_at'))} END`,
    'was moved by %s at %s; its record of %s says %s, %s',
    'thing.moved_by',
    'thing.moved_at',
    'act.action',
    'act.actor_id',
    'act.at',
  ];
}

/** An act of a thing that is recorded. */
interface Act {
  readonly event: string;
  readonly from: readonly string[];
  readonly by: ActBy;
  /** True if the row is in one of the statuses `after`; others leave it where it is. */
  readonly moves: boolean;
  /** True if it makes the thing or hands it in again. */
  readonly enters: boolean;
  readonly after: readonly string[];
}

function actsOf(thing: Kind['thing']): Act[] {
  const specs = Object.entries(thing.acts);
  const silent = specs.flatMap(([, spec]) => (spec.isUnrecorded === true ? [spec] : []));
  const first = specs.find(([, { from }]) => from.length === 0)?.[1].to;
  return specs
    .filter(([, { isUnrecorded }]) => isUnrecorded !== true)
    .map(([name, { from, to, by }]) => ({
      event: eventOf(thing as Thing, name),
      from,
      by,
      moves: to !== undefined || from.length === 0,
      enters: from.length === 0 || (to !== undefined && to === first),
      after:
        to === undefined
          ? []
          : [to, ...silent.flatMap((act) => (act.from.includes(to) && act.to ? [act.to] : []))],
    }));
}

/** SQL of a row for each event that can follow another: both, who may do it, and the statuses it leads to. */
function movesOf(acts: readonly Act[]): RawBuilder<unknown>[] {
  const moves = new Map<string, { previous: string; event: string; same: Act[] }>();
  for (const act of acts) {
    const { event, from } = act;
    const before = acts.filter(
      ({ moves: is, after }) => is && after.some((one) => from.includes(one)),
    );
    for (const previous of from.length === 0 ? [''] : before.map((one) => one.event)) {
      const move = moves.get(`${previous} ${event}`) ?? { previous, event, same: [] };
      move.same.push(act);
      moves.set(`${previous} ${event}`, move);
    }
  }
  const texts = (values: readonly string[]) => sql`ARRAY[${listed([...new Set(values)])}]::text[]`;
  return [...moves.values()].map(
    ({ previous, event, same }) => sql`(${sql.lit(previous)}, ${sql.lit(event)},
      ${texts(same.map(({ by }) => by))}, ${texts(same.flatMap(({ after }) => after))})`,
  );
}

function eventsOf(acts: readonly Act[]): RawBuilder<unknown> {
  return listed([...new Set(acts.map(({ event }) => event))]);
}
