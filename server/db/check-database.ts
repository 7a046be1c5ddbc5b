import pg from 'pg';
import { errorCode, StartError } from '#server/lib/start-error.ts';

const OLDEST_VERSION = 15;

/** Error for a connection that could not be opened. */
export function notConnected(error: unknown): StartError {
  // The database, or a pooler, has its own sentence for the refusal.
  const sentence =
    error instanceof pg.DatabaseError
      ? `The database refused the connection: ${error.message}; check DATABASE_URL.`
      : `The database cannot be reached (${errorCode(error) ?? String(error)}); check DATABASE_URL and that the server is running.`;
  return new StartError(sentence, { cause: error });
}

/** The system's codes, and PostgreSQL's for a refused connection or sign-in, and while it starts or stops. */
const NO_CONNECTION = /^(E[A-Z]+|08...|28...|3D000|57P0.)$/;

/** The sentence about a database that cannot be reached; null for any other error. */
export function asNotConnected(error: unknown): StartError | null {
  const reason = errorCode(error);
  return reason !== undefined && NO_CONNECTION.test(reason) ? notConnected(error) : null;
}

interface DatabaseFacts {
  name: string;
  owner: string;
  version: number;
  versionText: string;
  encoding: string;
  /** True if it may create tables in `public` and further schemas. */
  mayMake: boolean;
}

/**
 * Refuses a database that Purser cannot work in, before anything in it is changed.
 *
 * @throws StartError for an old PostgreSQL, an encoding without all characters, or missing rights
 */
export async function checkDatabase(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<DatabaseFacts>(`
    SELECT current_database() AS name, session_user AS owner,
           current_setting('server_version_num')::integer / 10000 AS version,
           current_setting('server_version') AS "versionText",
           current_setting('server_encoding') AS encoding,
           has_database_privilege(current_database(), 'CREATE')
             AND has_schema_privilege('public', 'CREATE') AS "mayMake"`);
  const facts = rows[0];
  if (facts === undefined) throw new Error('A query of settings gave no row');
  const { name, owner, version, versionText, encoding, mayMake } = facts;
  if (version < OLDEST_VERSION) {
    throw new StartError(
      `The database is PostgreSQL ${versionText}; Purser needs ${OLDEST_VERSION} or newer.`,
    );
  }
  if (encoding !== 'UTF8') {
    throw new StartError(
      `The database "${name}" is encoded as ${encoding}, which has no place for every name; make one with CREATE DATABASE … TEMPLATE template0 ENCODING 'UTF8' and set DATABASE_URL to it.`,
    );
  }
  if (!mayMake) {
    throw new StartError(
      `The role "${owner}" may not make tables in the database "${name}"; make it the owner with ALTER DATABASE "${name}" OWNER TO "${owner}", and start again.`,
    );
  }
}

/**
 * Refuses a database that has tables and none of them Purser's: it is another program's. Tables of extensions do not count.
 *
 * @throws StartError
 */
export async function refuseOtherProgram(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<{ database: string; table: string }>(`
    SELECT current_database() AS database, relname AS table FROM pg_class AS relation
     WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p')
       AND to_regclass('public.purser_migration') IS NULL
       AND NOT EXISTS (SELECT FROM pg_depend
                        WHERE classid = 'pg_class'::regclass AND objid = relation.oid AND deptype = 'e')
     ORDER BY relname LIMIT 1`);
  const [found] = rows;
  if (found === undefined) return;
  throw new StartError(
    `The database "${found.database}" holds another program's tables, "${found.table}" among them; set DATABASE_URL to an empty database.`,
  );
}

/** Number of tries. A pooler would have to give the same connection in all of them to pass. */
const TRIES = 3;

/**
 * Refuses a pooler that gives each transaction another connection of the database: settings, the
 * role, locks and prepared statements would be lost between transactions. While a second client
 * holds a connection, the first one must still have the one it began with.
 *
 * @throws StartError
 */
export async function refuseTransactionPooling(
  first: pg.ClientBase,
  second: pg.ClientBase,
): Promise<void> {
  for (let count = 0; count < TRIES; count += 1) {
    const ids: (number | null)[] = [];
    try {
      // oxlint-disable no-await-in-loop -- one after the other is the point
      ids.push(await backendOf(first));
      await second.query('BEGIN');
      ids.push(await backendOf(second), await backendOf(first));
      await second.query('COMMIT');
      ids.push(await backendOf(first), await backendOf(second));
      // oxlint-enable no-await-in-loop
    } catch (error) {
      // Pooling of statements refuses BEGIN.
      throw new StartError(POOLS_TRANSACTIONS, { cause: error });
    }
    const [ofFirst, ofSecond, ...later] = ids;
    const isOneEach = later.join() === [ofFirst, ofFirst, ofSecond].join();
    if (ofFirst === ofSecond || !isOneEach) throw new StartError(POOLS_TRANSACTIONS);
  }
}

const POOLS_TRANSACTIONS =
  'The pooler in front of the database pools transactions or statements; set pool_mode = session for this database, or connect to PostgreSQL itself.';

async function backendOf(client: pg.ClientBase): Promise<number | null> {
  const { rows } = await client.query<{ id: number }>('SELECT pg_backend_pid() AS id');
  return rows[0]?.id ?? null;
}
