import { createHash, randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type pg from 'pg';
import { isAlive } from '#server/db/embedded/processes.ts';
import { withFileLock } from '#server/db/embedded/file-lock.ts';
import { type EmbeddedDatabase, startEmbedded } from '#server/db/embedded/index.ts';
import { ensureDatabase, withClient } from '#server/db/embedded/roles.ts';
import { migrate, MIGRATIONS_DIR, readMigrations } from '#server/db/migrate.ts';
import { errorCode } from '#server/lib/start-error.ts';

/** The programs of a PostgreSQL that is installed here, to test with it instead of the shipped one. */
const BIN_DIR = process.env['PURSER_TEST_POSTGRES'];
/** One for each checkout, user and PostgreSQL; not in node_modules, which an install may remove under it. */
const CHECKOUT = createHash('sha256')
  .update(`${import.meta.dirname} ${BIN_DIR ?? ''}`)
  .digest('hex')
  .slice(0, 12);
const DATA_DIR = join(tmpdir(), `purser-test-${process.getuid?.() ?? 0}-${CHECKOUT}`);
const LOCK_WAIT_MS = 120_000;
const TEMPLATES_KEPT = 3;

/** A running cluster with a migrated template. */
export interface OpenedCluster {
  database: EmbeddedDatabase;
  /** Name of the migrated database that tests are copied from. */
  template: string;
}

/** Data with which a test process makes databases: plain text, so that it can be given to processes. */
export interface TestCluster {
  /** Addresses of the database `postgres`, by role. */
  superuserUrl: string;
  ownerUrl: string;
  appUrl: string;
  template: string;
}

/** The cluster as a test process is given it. */
export function describeCluster({ database, template }: OpenedCluster): TestCluster {
  const superuserUrl = database.superuserUrl('postgres');
  return { superuserUrl, ...database.urlsFor('postgres'), template };
}

/** The same role on another database. */
export function urlOf(url: string, database: string): string {
  const other = new URL(url);
  other.pathname = `/${database}`;
  return other.toString();
}

/**
 * Joins or starts the tests' cluster, which is kept between runs and shared by runs at the same
 * time, and makes the template for the present migrations once. The template's name carries the
 * hash of what made it, so an edited migration makes a new one.
 */
export async function openTestCluster(): Promise<OpenedCluster> {
  const database = await startEmbedded({
    dataDir: DATA_DIR,
    log: () => undefined,
    fsync: false,
    binDir: BIN_DIR,
  });
  try {
    const template = templateName();
    const lock = join(DATA_DIR, 'template.lock');
    await withFileLock(lock, LOCK_WAIT_MS, () => prepareTemplate(database, template));
    return { database, template };
  } catch (error) {
    await database.stop();
    throw error;
  }
}

/** Copies the template; about 20 ms. The name says which process to ask whether it is in use. */
export async function cloneTemplate(client: pg.Client, template: string): Promise<string> {
  const name = `test_${process.pid}_${randomBytes(4).toString('hex')}`;
  await client.query(`CREATE DATABASE ${name} OWNER purser_owner TEMPLATE ${template}
                      STRATEGY file_copy`);
  await ensureDatabase(client, name);
  return name;
}

function templateName(): string {
  const hash = createHash('sha256');
  for (const { name, sha256 } of readMigrations(MIGRATIONS_DIR)) hash.update(`${name} ${sha256}\n`);
  return `template_${hash.digest('hex').slice(0, 16)}`;
}

async function prepareTemplate(database: EmbeddedDatabase, template: string): Promise<void> {
  await withClient(database.superuserUrl('postgres'), async (client) => {
    await dropLeftovers(client, template);
    if (await exists(client, template)) return;
    const unfinished = `${template}_unfinished`;
    await client.query(`DROP DATABASE IF EXISTS ${unfinished}`);
    await ensureDatabase(client, unfinished);
    await withClient(database.superuserUrl(unfinished), (inside) =>
      inside.query('ALTER SCHEMA public OWNER TO purser_owner'),
    );
    await migrate(database.urlsFor(unfinished).ownerUrl, { log: () => undefined });
    await client.query(`ALTER DATABASE ${unfinished} RENAME TO ${template}`);
  });
}

/** Databases of test processes that are gone, and templates of migrations long edited. */
async function dropLeftovers(client: pg.Client, template: string): Promise<void> {
  const { rows } = await client.query<{ datname: string }>(
    `SELECT datname FROM pg_database
      WHERE datname ~ '^(test|template)_' ORDER BY oid DESC`,
  );
  const names = rows.map((row) => row.datname);
  const abandoned = names.filter((name) => {
    const pid = /^test_(\d+)_/.exec(name)?.[1];
    return pid !== undefined && !isAlive(Number(pid));
  });
  const outdated = names
    .filter((name) => /^template_[0-9a-f]{16}$/.test(name) && name !== template)
    .slice(TEMPLATES_KEPT);
  for (const name of [...abandoned, ...outdated]) await dropDatabase(client, name);
}

/**
 * Drops a database once its connections are closed. Never by force, which would end connections
 * under a test that still winds down; one that stays busy is dropped by a later run.
 */
export async function dropDatabase(client: pg.Client, name: string): Promise<void> {
  try {
    await client.query(`DROP DATABASE IF EXISTS ${name}`);
  } catch (error) {
    if (errorCode(error) !== '55006') throw error;
  }
}

async function exists(client: pg.Client, name: string): Promise<boolean> {
  const { rowCount } = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [name]);
  return Boolean(rowCount);
}
