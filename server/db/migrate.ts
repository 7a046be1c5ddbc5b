import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Logger, runMigrations } from 'graphile-worker';
import pg from 'pg';
import { errorCode, StartError } from '#server/lib/start-error.ts';
import { isUnavailable } from '#server/lib/unavailable.ts';
import { adoptBaseline } from './baseline.ts';
import { APP_ROLE } from './embedded/roles.ts';
import {
  checkDatabase,
  notConnected,
  refuseOtherProgram,
  refuseTransactionPooling,
} from './check-database.ts';
import { createQueuePool } from './pool.ts';
import { openClient, RoleError, withSettings } from './session.ts';

export const MIGRATIONS_DIR = join(import.meta.dirname, '../../migrations');

/** An arbitrary number, the same in every process: only one migrates a database at a time. */
const ADVISORY_LOCK = 7_265_001;
const QUEUE_SCHEMA = 'graphile_worker';

export interface Migration {
  /** File name, `0300_02_people.sql`; files are applied in the order of their names. */
  name: string;
  sql: string;
  sha256: string;
}

export interface MigrateOptions {
  /** Called with a sentence for each applied file and for facts that a person should know. */
  log: (sentence: string) => void;
  /** Folder of the numbered files; another one only in tests. */
  dir?: string;
}

export interface Migrated {
  /** Names of the files applied by this call. */
  applied: readonly string[];
  /** False where the database did not let us create a separate role for the server. */
  hasAppRole: boolean;
}

/**
 * Brings a database to this version's schema, forward only: all new files of migrations/ in one
 * transaction, then the job queue's tables. Several processes may call it concurrently.
 *
 * @throws StartError when the database cannot be reached or Purser cannot work in it, when a file
 *   cannot be applied (then none is), when an applied file was changed afterwards, when the
 *   database was migrated by a newer version or lacks a migration before the baseline, or when its
 *   disk is full or it ends meanwhile
 */
export async function migrate(ownerUrl: string, options: MigrateOptions): Promise<Migrated> {
  const client = await connect(ownerUrl);
  try {
    await checkDatabase(client);
    await checkPooling(client, ownerUrl);
    await client.query('SELECT pg_advisory_lock($1)', [ADVISORY_LOCK]);
    await refuseOtherProgram(client);
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
    if (hasAppRole) {
      await grantQueue(client);
      await checkRole(ownerUrl);
    }
    return { applied, hasAppRole };
  } catch (error) {
    throw interrupted(error) ?? error;
  } finally {
    await client.end();
  }
}

/** Code of PostgreSQL for a disk that is full. A connection that it ended has 57P01 to 57P04, or an error of the connection. */
const DISK_FULL = '53100';

/** The sentence about a database that could not go on; null for any other error. */
function interrupted(error: unknown): StartError | null {
  const cause = error instanceof StartError ? error.cause : error;
  const code = errorCode(cause);
  if (code === DISK_FULL) {
    return new StartError(
      'The disk of the database is full, so it was not migrated and is as it was. Make room on that disk, and start again.',
      { cause: error },
    );
  }
  const isEnded =
    cause instanceof pg.DatabaseError ? code?.startsWith('57P') === true : isUnavailable(cause);
  return isEnded
    ? new StartError(
        'The database ended while it was migrated. Start again once it answers: what was not finished is undone.',
        { cause: error },
      )
    : null;
}

async function checkPooling(client: pg.Client, ownerUrl: string): Promise<void> {
  const second = await connect(ownerUrl);
  try {
    await refuseTransactionPooling(client, second);
  } finally {
    await second.end();
  }
}

/**
 * The owner's address, acting as the server's role from the first statement on. For a database that
 * we can only enter under one name, if migrate returned `hasAppRole`.
 */
export function actingAsApp(ownerUrl: string): string {
  return withSettings(ownerUrl, { role: APP_ROLE });
}

/** Throws if a connection that should act as the server's role acts as the owner. */
async function checkRole(ownerUrl: string): Promise<void> {
  try {
    await (await openClient(actingAsApp(ownerUrl))).end();
  } catch (error) {
    if (!(error instanceof RoleError)) throw error;
    throw new StartError(
      `${error.message}; connect to PostgreSQL itself, or set the pooler to pool sessions.`,
      { cause: error },
    );
  }
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
    return await openClient(url, {
      connectionTimeoutMillis: 10_000,
      application_name: 'purser-migrate',
    });
  } catch (error) {
    if (error instanceof StartError) throw error;
    throw notConnected(error);
  }
}

/**
 * Codes of PostgreSQL for a role or a membership that another database of its server has just made. Roles belong to all
 * databases, and the lock of a migration to one.
 */
const MADE_BY_ANOTHER = ['42710', '23505'];

/**
 * Creates the server's role if allowed, and lets the owner act as it. Returns true if that works in
 * the end: hosted databases often allow no roles.
 */
async function ensureAppRole(client: pg.Client): Promise<boolean> {
  for (;;) {
    try {
      // oxlint-disable-next-line no-await-in-loop -- again once the other one has made it
      return await makeAppRole(client);
    } catch (error) {
      if (!MADE_BY_ANOTHER.includes(errorCode(error) ?? '')) throw error;
    }
  }
}

async function makeAppRole(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ may_act: boolean | null; may_create: boolean }>(
    `SELECT pg_has_role(app.rolname, 'MEMBER') AS may_act,
            me.rolcreaterole OR me.rolsuper AS may_create
       FROM pg_roles me LEFT JOIN pg_roles app ON app.rolname = $1
      WHERE me.rolname = CURRENT_USER`,
    [APP_ROLE],
  );
  const [{ may_act: mayAct, may_create: mayCreate } = { may_act: null, may_create: false }] = rows;
  if (mayAct === true) return true;
  // Skipped when it must fail, because PostgreSQL would log an error at every start.
  if (mayAct === null && !mayCreate) return false;
  try {
    if (mayAct === null) await client.query(`CREATE ROLE ${APP_ROLE} NOLOGIN`);
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
  await client.query('BEGIN');
  try {
    const pending = await findNew(client, files);
    for (const file of pending) await applyOne(client, file, options.hasAppRole);
    await client.query('COMMIT');
    for (const { name } of pending) options.log(`Migrated the database: ${name}.`);
    return pending.map(({ name }) => name);
  } catch (error) {
    await client.query('ROLLBACK').catch(() => undefined);
    throw error;
  }
}

async function findNew(client: pg.Client, files: readonly Migration[]): Promise<Migration[]> {
  await client.query(`CREATE TABLE IF NOT EXISTS purser_migration (
    name       text PRIMARY KEY,
    sha256     text NOT NULL,
    applied_at timestamptz NOT NULL DEFAULT now()
  )`);
  await adoptBaseline(client, files);
  const { rows } = await client.query<{ name: string; sha256: string }>(
    'SELECT name, sha256 FROM purser_migration ORDER BY name',
  );
  refuseForeignHistory(rows, files);
  const done = new Set(rows.map((row) => row.name));
  return files.filter((file) => !done.has(file.name));
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

/**
 * The migration for a database without a separate role. Rights granted to that role go to the only
 * role there is, which keeps the rights that would be revoked. Triggers refuse their use.
 */
function withoutAppRole(sql: string): string {
  return sql
    .replaceAll(new RegExp(`^REVOKE [^;]* FROM ${APP_ROLE};`, 'gm'), '')
    .replaceAll(new RegExp(`\\bTO ${APP_ROLE}\\b`, 'g'), 'TO CURRENT_USER');
}

async function applyOne(
  client: pg.Client,
  { name, sql, sha256 }: Migration,
  hasAppRole: boolean,
): Promise<void> {
  try {
    await client.query(hasAppRole ? sql : withoutAppRole(sql));
    await client.query('INSERT INTO purser_migration (name, sha256) VALUES ($1, $2)', [
      name,
      sha256,
    ]);
  } catch (error) {
    throw new StartError(
      `Migration ${name} failed and was undone: ${describe(error, sql)}; the database is as it was, so the version before still runs on it.`,
      { cause: error },
    );
  }
}

/** The database's error message, with the line of the file where it reports the fault. */
function describe(error: unknown, sql: string): string {
  if (!(error instanceof pg.DatabaseError)) return String(error);
  if (error.position === undefined) return error.message;
  const line = sql.slice(0, Number(error.position)).split('\n').length;
  return `line ${line}: ${error.message}`;
}

async function migrateQueue(ownerUrl: string): Promise<void> {
  const pool = createQueuePool({ url: ownerUrl, max: 1, applicationName: 'purser-migrate' });
  try {
    await runMigrations({
      pgPool: pool,
      schema: QUEUE_SCHEMA,
      logger: new Logger(() => () => undefined),
    });
  } finally {
    await pool.end();
  }
}

/**
 * Given-up jobs are counted each minute, among the hundred thousand that a payroll adds; the queue
 * has no index for them. It is by `is_available`, because ANALYZE keeps statistics of a column and
 * none of the comparison behind it, without which the index is not used. The check comes first
 * because CREATE INDEX IF NOT EXISTS would lock out writers at each start.
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
 * hides every row from other roles. So the server's role gets the privileges and a policy. Repeated
 * after each migration of the queue, because a new version may bring new tables.
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
