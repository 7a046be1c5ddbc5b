import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Logger, runMigrations } from 'graphile-worker';
import pg from 'pg';
import { errorCode, StartError } from '#server/lib/start-error.ts';
import { APP_ROLE } from './embedded/roles.ts';
import { withSearchPath } from './search-path.ts';

export const MIGRATIONS_DIR = join(import.meta.dirname, '../../migrations');

/** Any number, the same in every process: only one migrates a database at a time. */
const ADVISORY_LOCK = 7_265_001;
const QUEUE_SCHEMA = 'graphile_worker';

export interface Migration {
  /** File name, `0001_base.sql`; their order is the order of application. */
  name: string;
  sql: string;
  sha256: string;
}

export interface MigrateOptions {
  /** Called with a sentence for each thing that was applied or that a person should know. */
  log: (sentence: string) => void;
  /** The folder of numbered files; another one only in tests. */
  dir?: string;
}

export interface Migrated {
  /** Names of the files applied by this call. */
  applied: readonly string[];
  /** False where the database let us make no role for the server apart from the owner's. */
  hasAppRole: boolean;
}

/**
 * Brings a database to this version's schema, forward only: each new file of migrations/ in a
 * transaction of its own, then the job queue's tables. Several processes may call it at once.
 *
 * @throws StartError when the database cannot be reached, when an applied file was changed
 *   afterwards, or when the database was migrated by a newer version
 */
export async function migrate(ownerUrl: string, options: MigrateOptions): Promise<Migrated> {
  const client = await connect(ownerUrl);
  try {
    await client.query('SELECT pg_advisory_lock($1)', [ADVISORY_LOCK]);
    const hasAppRole = await ensureAppRole(client);
    if (!hasAppRole) {
      options.log(
        'The database let us create no separate role; append-only is kept by triggers alone.',
      );
    }
    const files = readMigrations(options.dir ?? MIGRATIONS_DIR);
    const applied = await applyNew(client, files, { log: options.log, hasAppRole });
    await migrateQueue(ownerUrl);
    await indexQueue(client);
    if (hasAppRole) await grantQueue(client);
    return { applied, hasAppRole };
  } finally {
    await client.end();
  }
}

/**
 * The owner's address, acting as the server's role from the first statement on. For a database
 * given to us under one name, where migrate answered `hasAppRole`.
 */
export function actingAsApp(ownerUrl: string): string {
  const url = new URL(ownerUrl);
  const given = url.searchParams.get('options');
  url.searchParams.set('options', `${given ? `${given} ` : ''}-c role=${APP_ROLE}`);
  return url.toString();
}

/** Reads the numbered files in order. */
export function readMigrations(dir: string): Migration[] {
  return readdirSync(dir)
    .filter((name) => /^\d{4}_[a-z0-9_]+\.sql$/.test(name))
    .toSorted()
    .map((name) => {
      const sql = readFileSync(join(dir, name), 'utf8');
      return { name, sql, sha256: createHash('sha256').update(sql).digest('hex') };
    });
}

async function connect(url: string): Promise<pg.Client> {
  try {
    const client = new pg.Client({
      connectionString: withSearchPath(url),
      connectionTimeoutMillis: 10_000,
      application_name: 'purser-migrate',
    });
    client.on('error', () => undefined);
    await client.connect();
    return client;
  } catch (error) {
    throw new StartError(
      `The database cannot be reached (${errorCode(error) ?? String(error)}); check DATABASE_URL and that the server is running.`,
      { cause: error },
    );
  }
}

/**
 * Makes the server's role where we may, and lets the owner act as it. Answers whether we can in the
 * end: hosted databases often allow no roles.
 */
async function ensureAppRole(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ may_act: boolean }>(
    "SELECT pg_has_role(rolname, 'MEMBER') AS may_act FROM pg_roles WHERE rolname = $1",
    [APP_ROLE],
  );
  const known = rows[0];
  if (known?.may_act === true) return true;
  try {
    if (known === undefined) await client.query(`CREATE ROLE ${APP_ROLE} NOLOGIN`);
    await client.query(`GRANT ${APP_ROLE} TO CURRENT_USER`);
    return true;
  } catch (error) {
    if (errorCode(error) === '42501') return false;
    throw error;
  }
}

async function applyNew(
  client: pg.Client,
  files: readonly Migration[],
  options: Pick<MigrateOptions, 'log'> & Pick<Migrated, 'hasAppRole'>,
): Promise<string[]> {
  await client.query(`CREATE TABLE IF NOT EXISTS purser_migration (
    name       text PRIMARY KEY,
    sha256     text NOT NULL,
    applied_at timestamptz NOT NULL DEFAULT now()
  )`);
  const { rows } = await client.query<{ name: string; sha256: string }>(
    'SELECT name, sha256 FROM purser_migration ORDER BY name',
  );
  refuseForeignHistory(rows, files);
  const done = new Set(rows.map((row) => row.name));
  const pending = files.filter((file) => !done.has(file.name));
  for (const file of pending) {
    await applyOne(client, file, options.hasAppRole);
    options.log(`Migrated the database: ${file.name}.`);
  }
  return pending.map((file) => file.name);
}

function refuseForeignHistory(
  applied: readonly { name: string; sha256: string }[],
  files: readonly Migration[],
): void {
  const known = new Map(files.map((file) => [file.name, file.sha256]));
  for (const { name, sha256 } of applied) {
    const expected = known.get(name);
    if (expected === undefined) {
      throw new StartError(
        `The database has the migration ${name}, which this version of Purser does not know; start the newer version.`,
      );
    }
    if (expected !== sha256) {
      throw new StartError(
        `The migration ${name} was changed after it was applied to this database; undo the change and add a new migration instead.`,
      );
    }
  }
}

/** What a migration grants to the server's role goes to the one role there is where it has none. */
function grantedToUs(sql: string): string {
  return sql.replaceAll(new RegExp(`\\bTO ${APP_ROLE}\\b`, 'g'), 'TO CURRENT_USER');
}

async function applyOne(
  client: pg.Client,
  { name, sql, sha256 }: Migration,
  hasAppRole: boolean,
): Promise<void> {
  try {
    await client.query('BEGIN');
    await client.query(hasAppRole ? sql : grantedToUs(sql));
    await client.query('INSERT INTO purser_migration (name, sha256) VALUES ($1, $2)', [
      name,
      sha256,
    ]);
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK').catch(() => undefined);
    throw new Error(`Migration ${name} failed and was undone: ${describe(error, sql)}`, {
      cause: error,
    });
  }
}

/** The database's sentence, with the line of the file where it says the fault is. */
function describe(error: unknown, sql: string): string {
  if (!(error instanceof pg.DatabaseError)) return String(error);
  if (error.position === undefined) return error.message;
  const line = sql.slice(0, Number(error.position)).split('\n').length;
  return `line ${line}: ${error.message}`;
}

async function migrateQueue(ownerUrl: string): Promise<void> {
  await runMigrations({
    connectionString: withSearchPath(ownerUrl),
    schema: QUEUE_SCHEMA,
    logger: new Logger(() => () => undefined),
  });
}

/**
 * Jobs that were given up are counted each minute, among the hundred thousand that a payroll adds; the
 * queue has no index for them. By `is_available`, because ANALYZE keeps statistics of a column and none
 * of the comparison behind it, without which the index is not used. Looked for first: CREATE INDEX IF
 * NOT EXISTS would lock out writers at each start.
 */
async function indexQueue(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ isThere: boolean }>(
    'SELECT to_regclass($1) IS NOT NULL AS "isThere"',
    [`${QUEUE_SCHEMA}.purser_jobs_unavailable`],
  );
  if (rows[0]?.isThere === true) return;
  await client.query(`
    CREATE INDEX purser_jobs_unavailable ON ${QUEUE_SCHEMA}._private_jobs (id)
     WHERE NOT is_available`);
}

/**
 * The queue's tables belong to the owner and have row security switched on without a policy, which
 * hides every row from other roles: the server's role gets the privileges and a policy. Done after
 * each migration of the queue, since a new version may bring new tables.
 */
async function grantQueue(client: pg.Client): Promise<void> {
  await client.query(`
    GRANT SELECT ON purser_migration TO ${APP_ROLE};
    GRANT USAGE ON SCHEMA ${QUEUE_SCHEMA} TO ${APP_ROLE};
    GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA ${QUEUE_SCHEMA} TO ${APP_ROLE};
    GRANT USAGE, SELECT ON ALL SEQUENCES IN SCHEMA ${QUEUE_SCHEMA} TO ${APP_ROLE};
    GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA ${QUEUE_SCHEMA} TO ${APP_ROLE};
    DO $$
    DECLARE queue_table regclass;
    BEGIN
      FOR queue_table IN
        SELECT c.oid FROM pg_class c
         WHERE c.relnamespace = '${QUEUE_SCHEMA}'::regnamespace
           AND c.relkind = 'r' AND c.relrowsecurity
           AND NOT EXISTS (SELECT FROM pg_policy p WHERE p.polrelid = c.oid)
      LOOP
        EXECUTE format('CREATE POLICY ${APP_ROLE} ON %s TO ${APP_ROLE} USING (true) WITH CHECK (true)',
                       queue_table);
      END LOOP;
    END $$`);
}
