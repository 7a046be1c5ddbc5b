import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { RailStep } from '#contract/api.ts';
import { eventOf, oncePerThing, specOf } from '#contract/things/thing.ts';
import type { ActOf, DecidedAct, Thing } from '#contract/things/thing.ts';
import type { Reader } from '#server/db/tx.ts';
import { unwrittenEntries } from '#server/modules/audit/index.ts';

/** An act of a thing, as the audit trail has it. */
export interface RecordedAct {
  /** `withdrawal.approved` */
  readonly event: string;
  /** An ISO time. */
  readonly at: string;
  /** Id and name of the person who did it; null where Purser did. */
  readonly actorId: string | null;
  readonly by: string | null;
}

/**
 * SQL of the acts of a thing that was decided on, oldest first, as one column of its row. A page of things
 * and their acts is one statement, which reads the index `audit_event_subject`. The order of writing is that
 * of the acts, because each of them locks the thing.
 *
 * @param id the column of its id, as in SQL: `withdrawal.id`
 */
export function recordedActs(thing: Thing, id: string): RawBuilder<RecordedAct[]> {
  const events = decidedEvents(thing).map((event) => `'${event}'`);
  return sql.raw(`(
    SELECT coalesce(json_agg(json_build_object(
             'event', event.action, 'at', ${RECORDED_AT}, 'actorId', event.actor_id,
             'by', actor.name) ORDER BY event.id), '[]')
      FROM audit_event AS event LEFT JOIN app_user AS actor ON actor.id = event.actor_id
     WHERE event.subject_type = '${thing.name}' AND event.subject_id = ${id}
       AND event.action IN (${events.join(', ')}))`);
}

/**
 * SQL of who did an act of a thing last, or when, for a row `request` of its table; null where nobody did. The row says
 * it as long as that was its last act, which the transaction of the act knows already, and the audit trail afterwards.
 * An act that leaves the status is in the audit trail alone, and so is null until its COMMIT.
 */
export function lastTime<T extends Thing>(thing: T, act: ActOf<T>, what: 'by' | 'at'): string {
  const { to } = specOf(thing, act);
  const found = what === 'by' ? 'actor_id' : `coalesce((details ->> 'at')::timestamptz, at)`;
  const recorded = `(
    SELECT ${found} FROM audit_event
     WHERE subject_type = '${thing.name}' AND subject_id = request.id
       AND action = '${eventOf(thing, act)}'
     ORDER BY id DESC LIMIT 1)`;
  if (to === undefined) return recorded;
  const later = [...statusesAfterwards(thing, to)].map((status) => `'${status}'`).join(', ');
  return `CASE WHEN request.status = '${to}' THEN request.moved_${what}
    ${later === '' ? '' : `WHEN request.status IN (${later}) THEN ${recorded}`} END`;
}

/** The statuses that acts lead to from this one. */
function statusesAfterwards(thing: Thing, status: string): ReadonlySet<string> {
  const found = new Set<string>();
  const follow = (from: string) => {
    for (const act of Object.values(thing.acts)) {
      if (act.to === undefined || found.has(act.to) || !act.from.includes(from)) continue;
      found.add(act.to);
      follow(act.to);
    }
  };
  follow(status);
  return found;
}

/** A row with the acts of its transaction as well, which the COMMIT will write. */
export function withUnwrittenActs<Row extends { id: string; done: RecordedAct[] }>(
  reader: Reader,
  thing: Thing,
  row: Row,
): Row {
  const events = decidedEvents(thing);
  const unwritten = unwrittenEntries(reader, { type: thing.name, id: row.id })
    .filter(({ action }) => events.includes(action))
    .map(({ action, details, by: { actor } }) => ({
      event: action,
      at: String(details?.['at']),
      actorId: typeof actor === 'object' ? actor.id : null,
      by: typeof actor === 'object' ? actor.name : null,
    }));
  return unwritten.length === 0 ? row : { ...row, done: [...row.done, ...unwritten] };
}

/** The acts that this transaction did on a thing, with who did them: its COMMIT will record them. */
export function unwrittenSteps(
  reader: Reader,
  thing: Thing,
  id: string,
): ReadonlyMap<string, string | null> {
  const entries = unwrittenEntries(reader, { type: thing.name, id });
  return new Map(
    Object.keys(thing.acts).flatMap((act) =>
      entries
        .filter(({ action }) => action === eventOf(thing, act))
        .map(({ by: { actor } }) => [
          `${thing.name}.${act}`,
          typeof actor === 'object' ? actor.id : null,
        ]),
    ),
  );
}

/** The acts of one thing, oldest first. Asked for after its row was locked, they are all there are. */
export async function readActs(reader: Reader, thing: Thing, id: string): Promise<RecordedAct[]> {
  const { rows } = await sql<{ done: RecordedAct[] }>`
    SELECT ${recordedActs(thing, 'thing.id')} AS done
      FROM (SELECT ${id}::uuid AS id) AS thing`.execute(reader);
  const done = rows.flatMap((row) => row.done);
  return withUnwrittenActs(reader, thing, { id, done }).done;
}

/** A row with the acts that were done to it. */
interface Acted {
  readonly done: readonly RecordedAct[];
}

/** The newest of these acts; undefined if none was done. */
export function lastAct<T extends Thing>(
  thing: T,
  { done }: Acted,
  ...names: readonly DecidedAct<T>[]
): RecordedAct | undefined {
  const events: readonly string[] = names.map((name) => eventOf(thing, name as ActOf<T>));
  return done.findLast(({ event }) => events.includes(event));
}

/** Reads of a row when the newest of these acts was done; null if none was. */
export function momentOf<T extends Thing>(
  thing: T,
  ...names: readonly DecidedAct<T>[]
): (row: Acted) => Date | null {
  return (row) => {
    const act = lastAct(thing, row, ...names);
    return act === undefined ? null : new Date(act.at);
  };
}

/**
 * The steps that a thing has taken, each with the status it then had. It begins with the step that the
 * row itself keeps: the request, or the last time that the thing was handed in.
 * The last one has the reason, if there is one.
 */
export function stepsOf(
  thing: Thing,
  { done, rejectionReason: note }: Acted & { readonly rejectionReason: string | null },
  first: Omit<RailStep, 'note'>,
): RailStep[] {
  const statuses = statusesAfter(thing);
  let steps: RailStep[] = [{ ...first, note: null }];
  for (const { event, at, by } of done) {
    const status = statuses.get(event);
    if (status === first.status) steps = steps.slice(0, 1);
    else if (status !== undefined) {
      steps.push({ status, at: new Date(at).toISOString(), by, note: null });
    }
  }
  const last = steps.at(-1);
  return last === undefined || steps.length === 1
    ? steps
    : [...steps.slice(0, -1), { ...last, note }];
}

/** SQL of the moment of an act. Records of the first versions have only that of their writing. */
const RECORDED_AT = `coalesce(event.details ->> 'at',
  to_char(event.at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))`;

const decidedEvents = oncePerThing((thing): readonly string[] => {
  const decided = Object.keys(thing.acts).filter((act) => specOf(thing, act).from.length > 0);
  return [...new Set(decided.map((act) => eventOf(thing, act)))];
});

/** Statuses by the events that lead to them. */
const statusesAfter = oncePerThing(
  (thing): ReadonlyMap<string, string> =>
    new Map(
      Object.entries(thing.acts).flatMap(([act, { to }]) =>
        to === undefined ? [] : [[eventOf(thing, act), to]],
      ),
    ),
);
