import pgPackage from 'pg/package.json' with { type: 'json' };

/** Versions of pg whose Query, Connection and Result `Batch` was written for and is tested with. */
const KNOWN = ['8.23'];

/**
 * `Batch` calls methods of pg that its types omit and that a new minor version may change. The
 * failure could be a statement answered with another's rows, so the server does not start with an
 * unknown version.
 *
 * @throws {Error} that says what to do
 */
export function refuseUnknownPg(version: string = pgPackage.version): void {
  const [major, minor] = version.split('.');
  if (KNOWN.includes(`${major}.${minor}`)) return;
  throw new Error(
    `pg ${version} is not known to server/db/batch, which knows ${KNOWN.join(', ')}: read what ` +
      `changed in its lib/query.js, lib/result.js, lib/client.js and lib/connection.js, run the tests of ` +
      `server/db, and enter the version in known-pg.ts`,
  );
}
