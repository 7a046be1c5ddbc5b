import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Catalog } from './read-catalog.ts';

/** Written by `npm run db:generate`. */
export const EXPECTED_CATALOG_PATH = join(import.meta.dirname, 'expected.json');

/** Prefix of entries about the server's own role, which a hosted database may not let us create. */
const OF_APP = /^(?:rights of app |policy purser_app )/;
const APP_HAS_RIGHTS = /^rights of app on /;
/** Rights of everybody may be missing, because hardened databases revoke them. */
const OF_EVERYBODY = /^rights of everybody /;

export interface Difference {
  /** Name of the object. */
  name: string;
  what: string;
}

export function readExpectedCatalog(): Catalog {
  const text = readFileSync(EXPECTED_CATALOG_PATH, 'utf8');
  return new Map(Object.entries(JSON.parse(text) as Record<string, string>));
}

/**
 * Objects of a database that are missing, added or different, compared with those of the
 * migrations.
 */
export function compareCatalog(actual: Catalog, expected: Catalog): Difference[] {
  const hasAppRole = [...actual.keys()].some((name) => APP_HAS_RIGHTS.test(name));
  const names = new Set([...expected.keys(), ...actual.keys()]);
  return [...names]
    .filter((name) => hasAppRole || !OF_APP.test(name))
    .filter((name) => actual.has(name) || !OF_EVERYBODY.test(name))
    .flatMap((name) => {
      const what = differenceOf(actual.get(name), expected.get(name));
      return what === undefined ? [] : [{ name, what }];
    });
}

function differenceOf(
  actual: string | undefined,
  expected: string | undefined,
): string | undefined {
  if (actual === expected) return undefined;
  if (actual === undefined) return 'is missing';
  if (expected === undefined) return `is made by no migration: ${actual}`;
  return `is ${actual}; the migrations make it ${expected}`;
}
