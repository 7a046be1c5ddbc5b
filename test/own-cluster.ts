import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runAs } from '#server/db/embedded/account.ts';
import { locateBinaries } from '#server/db/embedded/binaries.ts';
import { startEmbedded } from '#server/db/embedded/index.ts';
import type { EmbeddedDatabase } from '#server/db/embedded/index.ts';
import { choosePlace, sharedRoots } from '#server/db/embedded/place.ts';
import { isAlive, isInTable } from '#server/db/embedded/processes.ts';
import { withClient } from '#server/db/embedded/roles.ts';
import { childrenOf } from './children-of.ts';
import { openOwnReplica } from './own-replica.ts';
import type { OwnReplica } from './own-replica.ts';
import { until } from './until.ts';

/** The programs of a PostgreSQL that is installed here, to test with it instead of the shipped one. */
const BIN_DIR = process.env['PURSER_TEST_POSTGRES'];

/** Bound of a wait for processes that end and start: a starved machine takes longer than a minute for some. */
const WITHIN_MS = 300_000;

/** A PostgreSQL for one test alone, which may do to it what happens to a database in its life. */
export interface OwnCluster {
  database: EmbeddedDatabase;
  /** Stops it in this mode and starts it again on the same port. */
  restart(mode: 'fast' | 'immediate'): Promise<void>;
  /** Stops it, and leaves it stopped. */
  stop(mode: 'fast' | 'immediate'): Promise<void>;
  start(): Promise<void>;
  /** `kill -9` of the postmaster, and a start as soon as its last process is gone. */
  killPostmaster(): Promise<void>;
  /**
   * `kill -9` of one process that serves a connection: PostgreSQL then restarts all of them, which
   * is waited for.
   */
  crashBackend(): Promise<void>;
  /** Starts it again if it ended by itself, and waits until it answers. */
  recover(): Promise<void>;
  /** Ends one connection whose application has this name, which is waited for; the others stay. */
  terminateBackend(applicationName: string): Promise<number>;
  /** Stops every process of it, as a cut network does: connections stay open and nothing answers. */
  freeze(): void;
  thaw(): void;
  /** A streaming replica of it, made now; closed with it. */
  openReplica(): Promise<OwnReplica>;
  /** Stops it and deletes its data. */
  close(): Promise<void>;
}

/**
 * Starts a cluster of its own in a temporary folder.
 *
 * @param options.keepsCommits false (default): it is faster, and a postmaster that is killed may lose
 *   what was committed in the last moments; true: as in production
 * @param options.folder folder for its data, another disk for example
 */
export async function openOwnCluster({
  keepsCommits = false,
  folder = tmpdir(),
} = {}): Promise<OwnCluster> {
  const home = mkdtempSync(join(folder, 'purser-own-'));
  // Under root PostgreSQL is another user, which has to pass through.
  chmodSync(home, 0o711);
  const dataDir = join(home, 'data');
  const database = await startEmbedded({
    dataDir,
    log: () => undefined,
    fsync: keepsCommits,
    binDir: BIN_DIR,
  });
  const { clusterDir, account } = await choosePlace(dataDir);
  const binDir = BIN_DIR ?? (await locateBinaries(account, sharedRoots()));
  const pgCtl = (...args: string[]) =>
    runAs(account, join(binDir, 'pg_ctl'), [
      '-D',
      clusterDir,
      '-w',
      '-t',
      String(WITHIN_MS / 1_000),
      ...args,
    ]);
  const postmaster = () =>
    Number(readFileSync(join(clusterDir, 'postmaster.pid'), 'utf8').split('\n')[0]);
  const start = async () => {
    let refusal: unknown;
    const tryOnce = () =>
      pgCtl('-l', join(clusterDir, 'server.log'), 'start').then(
        () => true,
        (error: unknown) => {
          refusal = error;
          return false;
        },
      );
    // The processes that a killed postmaster left keep its shared memory until the last of them is gone.
    await until(tryOnce, { withinMs: WITHIN_MS, everyMs: 50 }).catch(() => {
      throw refusal;
    });
  };
  const query = (sql: string, values: unknown[] = []) =>
    withClient(database.superuserUrl('postgres'), (client) =>
      client.query<{ pid: number }>(sql, values),
    );
  const signal = (name: 'SIGSTOP' | 'SIGCONT') => {
    const main = postmaster();
    for (const pid of [main, ...childrenOf(main)]) process.kill(pid, name);
  };
  const replicas: OwnReplica[] = [];
  return {
    database,
    start,
    async stop(mode) {
      await pgCtl('-m', mode, 'stop');
    },
    async restart(mode) {
      await pgCtl('-m', mode, 'stop');
      await start();
    },
    async killPostmaster() {
      const pid = postmaster();
      process.kill(pid, 'SIGKILL');
      await until(() => !isAlive(pid), { withinMs: WITHIN_MS });
      await start();
    },
    async crashBackend() {
      const { rows } = await query(
        `SELECT pid FROM pg_stat_activity
          WHERE backend_type = 'client backend' AND pid <> pg_backend_pid() LIMIT 1`,
      );
      const pid = rows[0]?.pid;
      if (pid === undefined) throw new Error('There is no connection to crash');
      process.kill(pid, 'SIGKILL');
      // Until the postmaster has taken notice: before, it lets a connection in, and ends it a moment later.
      await until(() => !isInTable(pid), { withinMs: WITHIN_MS });
      await until(() => query('SELECT 1').then(Boolean, () => false), {
        withinMs: WITHIN_MS,
        everyMs: 50,
      });
    },
    async recover() {
      const answers = () => query('SELECT 1').then(Boolean, () => false);
      const isGone = () => {
        try {
          return !isAlive(postmaster());
        } catch {
          return true;
        }
      };
      await until(
        async () => {
          if (await answers()) return true;
          if (isGone()) await start().catch(() => undefined);
          return false;
        },
        { withinMs: WITHIN_MS, everyMs: 200 },
      );
    },
    async terminateBackend(applicationName) {
      const { rowCount } = await query(
        `SELECT pg_terminate_backend(pid, $2) FROM pg_stat_activity WHERE application_name = $1 LIMIT 1`,
        [applicationName, WITHIN_MS],
      );
      return rowCount ?? 0;
    },
    freeze: () => signal('SIGSTOP'),
    thaw: () => signal('SIGCONT'),
    async openReplica() {
      const replica = await openOwnReplica({ binDir, account, home, database });
      replicas.push(replica);
      return replica;
    },
    async close() {
      await Promise.all(replicas.map((replica) => replica.close()));
      await database.stop();
      rmSync(home, { recursive: true, force: true });
    },
  };
}
