import { sql } from 'kysely';
import type { SelectQueryBuilder } from 'kysely';
import { specOf } from '#contract/things/thing.ts';
import type { PersonalAct, Thing } from '#contract/things/thing.ts';
import type { DB } from '#server/db/schema.ts';
import { prepared } from '#server/db/statement-names.ts';
import type { Db, Reader } from '#server/db/tx.ts';
import type { Actor } from '#server/lib/actor.ts';
import { invariant } from '#server/lib/errors.ts';
import { readSettings } from '#server/modules/settings/index.ts';
import type { CompanySettings } from '#server/modules/settings/index.ts';
import type { Services } from '#server/services.ts';
import { earlierSteps, isGuarded, knownOf, needsFacts, readKnown } from './guard-facts.ts';
import type { Columns, EarlierSteps, Found } from './guard-facts.ts';
import type { Kept, KeptRow } from './kept.ts';
import { actsOfReader, legalActs, offerOf, offersOf } from './offers.ts';
import type { ActsReader, OfferedAct } from './offers.ts';
import { isLegal } from './refuse.ts';

/** Scope of a list of things: its reader, and the company's settings and time zone. */
export interface ThingScope<Needs extends Pick<Services, 'clock'> = Services> {
  readonly actor: Actor;
  readonly services: Needs;
  readonly settings: CompanySettings;
  readonly timeZone: string;
}

export function readThingScope<Needs extends Pick<Services, 'clock'>>(services: Needs) {
  return async (db: Db, { actor }: { actor: Actor }): Promise<ThingScope<Needs>> => {
    const settings = await readSettings(db);
    return { actor, services, settings, timeZone: settings.timeZone };
  };
}

/** Options of the export of a list of things; `name` begins the file's. */
export function exportOf({ clock }: Services, name: string) {
  return { name, clock, timeZone: ({ timeZone }: ThingScope) => timeZone };
}

/**
 * Reads the rows of a query, and for each the acts that its reader could do in its status, with the refusal that the
 * command would give now. Facts by which acts are refused come with the rows, because a statement of their own costs a
 * list up to a third: those of guards are columns of the query, under the names of `guardFacts`. Two more statements
 * where duties are separated. No act is offered to the company's systems, which only read.
 *
 * @param query rows of the thing's table with their columns
 * @param known the settings, if they were read already
 */
export async function withActs<
  T extends Thing,
  Legal extends KeptRow,
  Kind extends Legal,
  Needs extends Pick<Services, 'clock'>,
  Facts extends object,
  Row extends Legal & Facts,
>(
  reader: Reader,
  services: Needs,
  kept: Kept<T, Kind, Needs, Facts, Legal>,
  who: ActsReader,
  query: { execute(): Promise<Row[]> },
  known?: CompanySettings,
): Promise<(Row & { acts: OfferedAct<T>[] })[]> {
  const { thing, table } = kept;
  const guarded = actsOfReader(thing, who).filter((act) => isGuarded(kept, act));
  if (guarded.length === 0) {
    return offersOf(kept, who, legalActs(kept, who, await query.execute()), new Map());
  }
  const settings = known ?? (await readSettings(reader));
  const needy = guarded.filter((act) => needsFacts(kept, act, settings));
  const steps = earlierSteps(thing, needy, settings);
  const statuses = new Set(needy.flatMap((act) => specOf(thing, act).from));
  const asked = legalActs(kept, who, await withSteps(query, table, steps, [...statuses]).execute());
  const open = asked.filter(({ acts }) => acts.some((act) => needy.includes(act)));
  const rows = open.map(({ row }) => ({
    id: row.id,
    known: row,
    earlier: (row as Row & Earlier).earlier,
  }));
  return offersOf(kept, who, asked, await knownOf(reader, { ...services, settings }, steps, rows));
}

/** The answer if an act on a row would be refused now, with the row and the facts by which it is decided. */
interface Judged<Row extends object> {
  /** The sentence by which the command would refuse it; null if it would not. */
  readonly refusal: string | null;
  readonly row: Row;
}

/**
 * Decides on one act of many rows, in one statement however many they are.
 *
 * @param asked.columns columns of the rows besides those of `guardFacts`
 * @returns in the order of the ids. A row in whose status the act is not legal is refused by that
 */
export async function judgeRows<
  T extends Thing,
  Legal extends KeptRow,
  Kind extends Legal,
  Needs extends Pick<Services, 'clock'>,
  Facts extends object,
  Row extends Omit<Legal, 'id'>,
>(
  reader: Reader,
  services: Needs,
  kept: Kept<T, Kind, Needs, Facts, Legal>,
  who: ActsReader,
  { act, ...asked }: { act: PersonalAct<T>; ids: readonly string[]; columns: Columns<Row> },
): Promise<Judged<Facts & Row & Legal>[]> {
  const read = await readKnown(reader, services, kept, { ...asked, acts: [act] });
  const known = invariant(read, 'an act that nothing refuses');
  const isTheirs = actsOfReader(kept.thing, who).includes(act);
  return asked.ids.flatMap((id) => {
    const facts = known.get(id);
    if (facts === undefined) return [];
    const row = facts.known as Facts & Row & Legal;
    const isOpen = isTheirs && isLegal(kept, act, row);
    const offer = isOpen ? offerOf(kept, who, act, { row, facts }) : null;
    return { row, refusal: offer === null ? `It is ${row.status}.` : offer.refusal };
  });
}

/**
 * Parts of a list of things that read its rows: with their acts for a page, without them for an export.
 *
 * @param select all rows of the thing's table with their columns
 */
export function thingRows<
  T extends Thing,
  Legal extends KeptRow,
  Kind extends Legal,
  Needs extends Pick<Services, 'clock'>,
  Facts extends object,
  Row extends Legal & Facts,
>(
  kept: Kept<T, Kind, Needs, Facts, Legal>,
  as: ActsReader['as'],
  select: (reader: Reader) => { execute(): Promise<Row[]> },
) {
  const ofIds = (reader: Reader, ids: readonly string[]) =>
    ofThing(select(reader))
      .modifyFront(prepared)
      .where(sql<boolean>`${sql.ref(`${kept.table}.id`)} = ANY (${ids}::uuid[])`);
  const rows = (reader: Reader, ids: readonly string[], scope: ThingScope<Needs>) => {
    const { services, settings, actor } = scope;
    return withActs(reader, services, kept, { actor, as }, ofIds(reader, ids), settings);
  };
  const csvRows = async (reader: Reader, ids: readonly string[]) => {
    const read = await ofIds(reader, ids).execute();
    return read.map((row): Row & { acts: OfferedAct<T>[] } => ({ ...row, acts: [] }));
  };
  return { rows, csvRows };
}

/** The query builder of a thing's rows. The thing's table is one of those that have the columns of `withdrawal`. */
function ofThing<Row>(query: { execute(): Promise<Row[]> }) {
  return query as unknown as SelectQueryBuilder<DB, 'withdrawal', Row>;
}

/**
 * Adds the people who did earlier acts to rows in these statuses. The row itself is read under another name, and not a
 * second time. One column as a text of SQL: each part that the query builder would make costs a list 10 µs.
 */
function withSteps<Row>(
  query: { execute(): Promise<Row[]> },
  table: string,
  steps: EarlierSteps,
  statuses: readonly string[],
): { execute(): Promise<Row[]> } {
  if (steps.sql === null) return query;
  const isOpen = `request.status IN (${statuses.map((status) => `'${status}'`).join(', ')})`;
  const earlier = sql<Earlier['earlier']>`(
    SELECT ${sql.raw(steps.sql)} FROM (SELECT ${sql.table(table)}.*) AS request
     WHERE ${sql.raw(isOpen)})`;
  return ofThing(query).select(earlier.as('earlier'));
}

type Earlier = Pick<Found<object>, 'earlier'>;
