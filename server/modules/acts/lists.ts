import { sql } from 'kysely';
import type { RawBuilder, SelectQueryBuilder } from 'kysely';
import { specOf } from '#contract/things/thing.ts';
import type { Thing } from '#contract/things/thing.ts';
import type { DB } from '#server/db/schema.ts';
import { prepared } from '#server/db/statement-names.ts';
import type { Db, Reader } from '#server/db/tx.ts';
import type { Actor } from '#server/lib/actor.ts';
import { readSettings } from '#server/modules/settings/index.ts';
import type { CompanySettings } from '#server/modules/settings/index.ts';
import type { Services } from '#server/services.ts';
import { factColumns, knownOf, needsFacts } from './guard-facts.ts';
import type { Kept, KeptRow } from './kept.ts';
import { actsOfReader, legalActs, offersOf } from './refuse.ts';
import type { ActsReader, OfferedAct } from './refuse.ts';

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
 * Parts of a list of things that read its rows: with their acts for a page, without them for an export. Facts by
 * which acts are refused come with the rows, because a statement of their own costs a list up to a third.
 *
 * @param select all rows of the thing's table with their columns
 */
export function thingRows<
  T extends Thing,
  Legal extends KeptRow,
  Kind extends Legal,
  Needs extends Pick<Services, 'clock'>,
  Facts extends object,
  Row extends Legal,
>(
  kept: Kept<T, Kind, Needs, Facts, Legal>,
  as: ActsReader['as'],
  select: (reader: Reader) => { execute(): Promise<Row[]> },
) {
  const { thing, table } = kept;
  const ofIds = (reader: Reader, ids: readonly string[]) =>
    // One of the tables of things: all of them have these columns.
    (select(reader) as unknown as SelectQueryBuilder<DB, 'withdrawal', Row>)
      .modifyFront(prepared)
      .where(sql<boolean>`${sql.ref(`${table}.id`)} = ANY (${ids}::uuid[])`);
  const rows = async (reader: Reader, ids: readonly string[], scope: ThingScope<Needs>) => {
    const { settings, actor } = scope;
    const who = { actor, as };
    const acts = actsOfReader(thing, who);
    const needy = acts.filter((act) => needsFacts(kept, act, settings));
    const facts = factColumns(kept, needy, settings);
    const statuses = new Set(needy.flatMap((act) => specOf(thing, act).from));
    const read = await withFacts(ofIds(reader, ids), table, facts.columns, [...statuses]).execute();
    const asked = legalActs(kept, who, read);
    const open = asked.filter((one) => one.acts.some((act) => needy.includes(act)));
    const known = await knownOf<Facts>(
      reader,
      { ...scope.services, settings },
      facts,
      open.map(({ row }) => row as KeptRow & Record<string, unknown>),
    );
    return offersOf(kept, who, asked, known);
  };
  const csvRows = async (reader: Reader, ids: readonly string[]) => {
    const read = await ofIds(reader, ids).execute();
    return read.map((row): Row & { acts: OfferedAct<T>[] } => ({ ...row, acts: [] }));
  };
  return { rows, csvRows };
}

/** Adds the columns to rows in these statuses. The row itself is read under another name, and not a second time. */
function withFacts<Row>(
  query: SelectQueryBuilder<DB, 'withdrawal', Row>,
  table: string,
  columns: readonly RawBuilder<unknown>[],
  statuses: readonly string[],
): { execute(): Promise<Row[]> } {
  if (columns.length === 0) return query;
  const isOpen = sql`request.status IN (${sql.join(statuses.map((status) => sql.lit(status)))})`;
  const facts = sql`LATERAL (
    SELECT ${sql.join(columns)} FROM (SELECT ${sql.table(table)}.*) AS request WHERE ${isOpen})`;
  return query.leftJoin(facts.as('facts'), (join) => join.onTrue()).selectAll('facts');
}
