import pgPackage from 'pg/package.json' with { type: 'json' };

/** Version of pg whose Query, Connection and Result `Batch` was written for. Later minor versions are accepted. */
const OLDEST = { major: 8, minor: 23 };

/**
 * `Batch` calls methods of pg that its types omit and that pg may change. The failure could be a statement
 * answered with another's rows, so the server does not start with another major version or an older one. Newer
 * minor versions and patches are accepted: the tests of server/db fail where they changed one of the methods.
 *
 * @throws {Error} that says what to do
 */
export function refuseUnknownPg(version: string = pgPackage.version): void {
  const [major, minor] = version.split('.').map(Number);
  if (major === OLDEST.major && minor !== undefined && minor >= OLDEST.minor) return;
  throw new Error(
    `pg ${version} is not known to server/db/batch, which knows ${OLDEST.major}.${OLDEST.minor} and later ` +
      `of ${OLDEST.major}: read what changed in its lib/query.js, lib/result.js, lib/client.js and ` +
      `lib/connection.js, run the tests of server/db, and enter the version in known-pg.ts`,
  );
}
