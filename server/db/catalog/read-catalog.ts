import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { Tx } from '../tx.ts';
import { CATALOG_PARTS } from './parts.ts';

/**
 * All objects of a database that decide what its rows mean and who may change them: names
 * (`function public.ledger_post(...)`) and definitions. Roles have the names of their purpose, and
 * differences between versions of PostgreSQL are left out, so that two databases made by the same
 * migrations have equal catalogs.
 */
export type Catalog = ReadonlyMap<string, string>;

/** Reads the catalog of the database that `tx` is on, in order of names. */
export async function readCatalog(tx: Tx): Promise<Catalog> {
  // Definitions name objects outside the path with their schema.
  await sql`SET LOCAL search_path = pg_catalog, public, pg_temp`.execute(tx);
  const found: [string, string][] = [];
  for (const part of CATALOG_PARTS) found.push(...(await readPart(tx, part)));
  found.push(...(await readMoves(tx)));
  return new Map(found.toSorted(([one], [other]) => (one < other ? -1 : 1)));
}

/** The rows by which a trigger decides what may become of a request. None where their table is missing. */
async function readMoves(tx: Tx): Promise<[string, string][]> {
  const { rows } = await sql<{ isThere: boolean }>`
    SELECT to_regclass('public.thing_move') IS NOT NULL AS is_there`.execute(tx);
  if (rows[0]?.isThere !== true) return [];
  return readPart(
    tx,
    sql`SELECT format('move %s.%s from %s', thing, act, coalesce(nullif(from_status, ''), 'nothing'))
                 AS name,
               string_agg(format('to %s by %s, money %s', to_status, to_jsonb(thing_move) ->> 'actor', money), '; ' ORDER BY to_status)
                 AS definition
          FROM public.thing_move GROUP BY thing, act, from_status`,
  );
}

async function readPart(tx: Tx, part: RawBuilder<unknown>): Promise<[string, string][]> {
  const { rows } = await sql<{ name: string; definition: string }>`
    SELECT name, definition FROM (${part}) AS part WHERE name IS NOT NULL`.execute(tx);
  return rows.map(({ name, definition }) => [name, definition]);
}
