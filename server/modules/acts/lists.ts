import type { Thing } from '#contract/things/thing.ts';
import type { Db, Reader } from '#server/db/tx.ts';
import type { Actor } from '#server/lib/actor.ts';
import { readSettings } from '#server/modules/settings/index.ts';
import type { Services } from '#server/services.ts';
import type { Kept, KeptRow } from './kept.ts';
import { withActs } from './refuse.ts';
import type { ActsReader, OfferedAct } from './refuse.ts';

/** Scope of a list of things: its reader, and the company's time zone. */
export interface ThingScope<Needs extends Pick<Services, 'clock'> = Services> {
  readonly actor: Actor;
  readonly services: Needs;
  readonly timeZone: string;
}

export function readThingScope(services: Services) {
  return async (db: Db, { actor }: { actor: Actor }): Promise<ThingScope> => {
    const { timeZone } = await readSettings(db);
    return { actor, services, timeZone };
  };
}

/** Options of the export of a list of things; `name` begins the file's. */
export function exportOf({ clock }: Services, name: string) {
  return { name, clock, timeZone: ({ timeZone }: ThingScope) => timeZone };
}

/** Parts of a list of things that read its rows: with their acts for a page, without them for an export. */
export function thingRows<
  T extends Thing,
  Kind extends KeptRow,
  Needs extends Pick<Services, 'clock'>,
  Facts extends object,
  Row extends KeptRow,
>(
  kept: Kept<T, Kind, Needs, Facts>,
  as: ActsReader['as'],
  readRows: (reader: Reader, ids: readonly string[]) => Promise<Row[]>,
) {
  const rows = async (
    reader: Reader,
    ids: readonly string[],
    { services, actor }: ThingScope<Needs>,
  ) => withActs(reader, services, kept, { actor, as }, await readRows(reader, ids));
  const csvRows = async (reader: Reader, ids: readonly string[]) => {
    const read = await readRows(reader, ids);
    return read.map((row): Row & { acts: OfferedAct<T>[] } => ({ ...row, acts: [] }));
  };
  return { rows, csvRows };
}
