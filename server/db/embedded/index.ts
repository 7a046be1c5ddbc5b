import { join } from 'node:path';
import { fullDisk, isFullDisk } from '#server/lib/full-disk.ts';
import { StartError } from '#server/lib/start-error.ts';
import { UnrecoverableError } from '#server/lib/unrecoverable-error.ts';
import { locateBinaries } from './binaries.ts';
import { withFileLock } from './file-lock.ts';
import {
  choosePlace,
  clusterOf,
  isInitialised,
  type Place,
  prepareDataDir,
  refuseLostDatabase,
  refuseUnfinishedRestore,
  requireCluster,
  sharedRoots,
} from './place.ts';
import {
  findRunning,
  initCluster,
  isTight,
  startPostmaster,
  stopPostmaster,
  superuserUrl,
} from './postmaster.ts';
import { postmasterState, type PostmasterState, untilReachable } from './postmaster-state.ts';
import { APP_ROLE, ensureRolesAndDatabase, OWNER_ROLE } from './roles.ts';
import { readOrMakeSecrets } from './secrets.ts';
import { addUser, countUsers } from './users.ts';

const DATABASE = 'purser';
const LOCK_WAIT_MS = 180_000;
/** Time for the last processes of a database that was just stopped or killed to end. */
const ENDING_MS = 10_000;

export interface EmbeddedOptions {
  /**
   * Purser's data folder; created when missing. It has the passwords, and the cluster where
   * possible.
   */
  dataDir: string;
  /** Called with a sentence for each step that takes time or that a person should know. */
  log: (sentence: string) => void;
  /** Switched off only where losing all data in a power cut is acceptable: tests. Default on. */
  fsync?: boolean;
  /** Memory and log of a size for the machine, as an installation has them. Default: as `fsync`. */
  isSized?: boolean;
  /** Folder of another PostgreSQL's programs than the shipped one's, 15 or newer; for tests. */
  binDir?: string | undefined;
  /** Refuses a data folder without a database, in place of making one. Default off. */
  mustExist?: boolean;
  /** Time to wait for another container to leave the database; shorter in tests. */
  waitMs?: number;
}

export interface EmbeddedDatabase {
  /** Owner of database and schema; for migrations. */
  ownerUrl: string;
  /** The server's own role, with only the rights that migrations grant. */
  appUrl: string;
  /** Superuser on a database of the cluster; only for tests and bootstrap. */
  superuserUrl(database: string): string;
  /** The same roles on another database of the cluster. */
  urlsFor(database: string): { ownerUrl: string; appUrl: string };
  /** State of its postmaster. */
  state(): PostmasterState;
  /**
   * Restarts a postmaster that has died, on its former port; does nothing when another process has
   * done so.
   *
   * @throws StartError when it does not start
   */
  startAgain(): Promise<void>;
  /** Path of PostgreSQL's own log. */
  logFile: string;
  /** Leaves the database; the last one to leave stops it. Safe to call twice. */
  stop(): Promise<void>;
}

/**
 * Starts the shipped PostgreSQL on 127.0.0.1 with its data in the data folder, or joins the one
 * already running there (also one left by a killed process; there are never two). When it returns,
 * the database accepts connections, and has both roles and the database `purser`.
 *
 * @throws StartError with one sentence saying what is wrong and what to do
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<EmbeddedDatabase> {
  if (options.mustExist === true) requireCluster(options.dataDir);
  else refuseUnfinishedRestore(options.dataDir);
  const dataDir = prepareDataDir(options.dataDir);
  await untilReachable(clusterOf(dataDir), options);
  const lock = join(dataDir, 'postgres.lock');
  const locked = <T>(work: () => Promise<T>) =>
    withFileLock(lock, LOCK_WAIT_MS, work).catch((error: unknown) => {
      throw isFullDisk(error) ? fullDisk(dataDir, error) : error;
    });
  return locked(async () => {
    const place = await choosePlace(dataDir);
    const binDir = options.binDir ?? (await locateBinaries(place.account, sharedRoots()));
    const isShipped = options.binDir === undefined;
    const isNew = !isInitialised(place.clusterDir);
    if (isNew) {
      refuseUnfinishedRestore(dataDir);
      refuseLostDatabase(dataDir);
    }
    const secrets = readOrMakeSecrets(dataDir, isNew);
    if (isNew) {
      options.log(`Making a database in ${place.clusterDir}.`);
      const { fsync = true } = options;
      await initCluster(place, binDir, { password: secrets.superuser, isShipped, fsync });
    }
    const leave = addUser(dataDir);
    const end = async () => {
      leave();
      if (countUsers(dataDir) === 0) await stopPostmaster(place, binDir);
    };
    const open = async () => {
      const port = await joinOrStart(place, binDir, secrets.superuser, options);
      const urlAs = (database: string) => superuserUrl(port, secrets.superuser, database);
      await ensureRolesAndDatabase(urlAs, DATABASE, secrets);
      return { port, urlAs };
    };
    const { port, urlAs } = await open().catch(async (error: unknown) => {
      await end().catch(() => undefined);
      // PostgreSQL ends connections without a word when its log has no room.
      const isRoom = error instanceof StartError || !isTight(place.clusterDir);
      throw isRoom ? error : fullDisk(place.clusterDir, error);
    });
    const urlsFor = (database: string) => ({
      ownerUrl: `postgresql://${OWNER_ROLE}:${secrets.owner}@127.0.0.1:${port}/${database}`,
      appUrl: `postgresql://${APP_ROLE}:${secrets.app}@127.0.0.1:${port}/${database}`,
    });
    const startAgain = () =>
      locked(async () => {
        const now = await joinOrStart(place, binDir, secrets.superuser, { ...options, port });
        if (now === port) return;
        throw new UnrecoverableError(
          `The embedded database now runs on port ${now} instead of ${port}; start Purser again.`,
        );
      });
    let stopping: Promise<void> | undefined;
    return {
      state: () => postmasterState(place.clusterDir),
      startAgain,
      logFile: join(place.clusterDir, 'server.log'),
      ...urlsFor(DATABASE),
      superuserUrl: urlAs,
      urlsFor,
      stop: () => (stopping ??= locked(end)),
    };
  });
}

async function joinOrStart(
  place: Place,
  binDir: string,
  password: string,
  options: EmbeddedOptions & { port?: number },
): Promise<number> {
  const running = await findRunning(place.clusterDir, password);
  if (running !== undefined) return running;
  await untilReachable(place.clusterDir, { log: options.log, waitMs: ENDING_MS });
  try {
    const isShipped = options.binDir === undefined;
    const { fsync = true, isSized = fsync, port } = options;
    return await startPostmaster(place, binDir, { fsync, isSized, isShipped, port });
  } catch (error) {
    if (error instanceof StartError)
      options.log(`Its log is ${join(place.clusterDir, 'server.log')}.`);
    throw error;
  }
}
