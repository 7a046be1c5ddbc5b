import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { startEmbedded } from '#server/db/embedded/index.ts';
import type { EmbeddedDatabase } from '#server/db/embedded/index.ts';
import { migrate } from '#server/db/migrate.ts';
import { createDb, createPool } from '#server/db/pool.ts';
import type { Db } from '#server/db/tx.ts';
import { silentLog } from '#server/lib/log.ts';
import {
  createSealer,
  loadSigningKey,
  readHead,
  verifyLedger,
} from '#server/modules/ledger/index.ts';
import type { Scope, Verification } from '#server/modules/ledger/index.ts';
import { businessChecks, checksFor } from '#server/modules/verification/index.ts';
import { createRootStore } from '#server/providers/roots/index.ts';

export interface BenchDatabase {
  db: Db;
  appUrl: string;
  ownerUrl: string;
  superuserUrl: string;
  /** Also the server's data folder. */
  dataDir: string;
  /** PostgreSQL's first process. */
  pid: number;
  /** True if the folder has a company that an earlier run made ({@link MADE}). */
  isMade: boolean;
  /** Notes in the folder that all of its company was made. */
  markMade(): void;
  /**
   * Brings every run to the same start: fresh statistics, nothing dirty left to write, and no work
   * left from an earlier one, such as mails or seals.
   */
  settle(): Promise<void>;
  /**
   * Verifies as `npm run verify` does, with signatures, roots and the business.
   *
   * @param scope everything without it
   */
  verify(scope?: Scope): Promise<Verification>;
  /** Stops the cluster, and deletes it unless it is kept. */
  close(): Promise<void>;
}

/** Closers of everything a bench has open, for one that is ended early. Each may run again. */
export const OPENED = new AsyncDisposableStack();

/** File in a kept folder that says that all of its company was made. */
const MADE = 'bench-made';

export interface BenchDatabaseOptions {
  /** Default: on, as for `npm start`. Off where only reading is measured; the memory is that of `npm start` in any case. */
  fsync?: boolean;
  /** Folder that stays, for a company that takes long to make; a temporary one without it. */
  keptIn?: string | undefined;
}

/**
 * Starts a cluster in a folder of its own.
 *
 * @throws if the folder exists and has no company that was completely made
 */
export async function openBenchDatabase(
  log: (sentence: string) => void,
  { fsync = true, keptIn }: BenchDatabaseOptions = {},
): Promise<BenchDatabase> {
  const isMade = keptIn !== undefined && existsSync(join(keptIn, MADE));
  if (keptIn !== undefined && existsSync(keptIn) && !isMade) {
    throw new Error(`${keptIn} exists and has no company that was completely made: delete it`);
  }
  const dataDir = keptIn ?? mkdtempSync(join(tmpdir(), 'purser-bench-'));
  mkdirSync(dataDir, { recursive: true });
  // Others may pass through, as into any data folder: PostgreSQL may have to be another user.
  chmodSync(dataDir, 0o711);
  const remove = () => {
    if (keptIn === undefined) rmSync(dataDir, { recursive: true, force: true });
  };
  OPENED.defer(remove);
  const embedded = await startEmbedded({ dataDir, log, fsync, isSized: true });
  await migrate(embedded.ownerUrl, { log: () => undefined });
  const pool = createPool({ url: embedded.appUrl, applicationName: 'purser-bench' });
  // The bench measures the posting, not the time in which a payroll can be stopped.
  await pool.query('UPDATE company_settings SET payroll_cancel_seconds = 0');
  const db = createDb(pool);
  const signingKey = loadSigningKey({ dataDir, pem: null });
  // Uses the place of the server that runs in this folder, so that each finds the other's newest
  // root.
  const roots = createRootStore({ ledgerRoots: null, dataDir, onFailure: () => undefined });
  const sealer = createSealer({ db, signingKey, formerKeys: [], roots, log: silentLog });
  let closing: Promise<void> | undefined;
  const close = () => (closing ??= closeAll());
  OPENED.defer(close);
  return {
    db,
    appUrl: embedded.appUrl,
    ownerUrl: embedded.ownerUrl,
    superuserUrl: embedded.superuserUrl('purser'),
    dataDir,
    pid: await asSuperuser(embedded, readPostmasterPid),
    isMade,
    markMade: () => writeFileSync(join(dataDir, MADE), ''),
    async settle() {
      await sealer.run();
      await recordVerified(db);
      await asSuperuser(embedded, async (client) => {
        await client.query('TRUNCATE outbox');
        await client.query('TRUNCATE graphile_worker._private_jobs');
        await client.query('VACUUM ANALYZE');
        await client.query('CHECKPOINT');
      });
    },
    verify: (scope) =>
      verifyLedger(db, {
        ...(scope !== undefined && { scope }),
        keys: { current: signingKey, former: [] },
        roots,
        furtherChecks: (tx, of) => checksFor(tx, businessChecks, of),
      }),
    close,
  };

  async function closeAll(): Promise<void> {
    await pool.end();
    await embedded.stop();
    remove();
  }
}

/**
 * Writes a verification of everything as if last night had made it, which a server that starts would otherwise make up for
 * during the measurement. The bench verifies the books at its end.
 */
async function recordVerified(db: Db): Promise<void> {
  const now = new Date();
  const head = await readHead(db);
  const run = { startedAt: now, finishedAt: now, isSound: true, problems: '[]' };
  await db
    .insertInto('verificationRun')
    .values({ ...run, headHeight: head?.height ?? null })
    .execute();
}

async function asSuperuser<T>(
  embedded: EmbeddedDatabase,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client({ connectionString: embedded.superuserUrl('purser') });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** First line of PostgreSQL's file postmaster.pid. */
async function readPostmasterPid(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ data_directory: string }>('SHOW data_directory');
  const [shown] = rows;
  if (shown === undefined) throw new Error('SHOW answers with one row');
  return Number.parseInt(readFileSync(join(shown.data_directory, 'postmaster.pid'), 'utf8'), 10);
}

interface Connection extends AsyncDisposable {
  client: pg.Client;
  /** One after the other, in one transaction: `now()` is the same in all of them. */
  run: (statements: readonly string[]) => Promise<void>;
}

/** A connection as a superuser without triggers and foreign keys. */
export async function connect(superuserUrl: string): Promise<Connection> {
  const client = new pg.Client({ connectionString: superuserUrl });
  await client.connect();
  await client.query(`SET session_replication_role = replica; SET maintenance_work_mem = '512MB';
    SET work_mem = '128MB'`);
  return {
    client,
    run: async (statements) => {
      for (const statement of ['BEGIN', ...statements, 'COMMIT']) await client.query(statement);
    },
    [Symbol.asyncDispose]: () => client.end(),
  };
}

/** Drops the indexes that back no constraint; returns the statements to create them again. */
export async function dropIndexes(
  { client, run }: Connection,
  tables: readonly string[],
): Promise<string[]> {
  const { rows } = await client.query<{ name: string; definition: string }>(
    `SELECT indexrelid::regclass::text AS name, pg_get_indexdef(indexrelid) AS definition
       FROM pg_index
      WHERE indrelid = ANY ($1::text[]::regclass[])
        AND NOT EXISTS (SELECT FROM pg_constraint WHERE conindid = indexrelid)`,
    [tables],
  );
  await run(rows.map(({ name }) => `DROP INDEX ${name}`));
  return rows.map(({ definition }) => definition);
}
