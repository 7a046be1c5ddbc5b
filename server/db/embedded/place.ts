import { createHash, randomBytes } from 'node:crypto';
import {
  accessSync,
  chmodSync,
  chownSync,
  constants,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  rmdirSync,
  rmSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { ROOTS_FILE } from '#server/lib/root-store.ts';
import { errorCode, StartError } from '#server/lib/start-error.ts';
import { writeOnce } from '#server/lib/whole-file.ts';
import { type Account, chooseAccount, mayAccess } from './account.ts';
import { isLocked } from './file-lock.ts';

/** PostgreSQL's data folder (absent before the first start) and its system user. */
export interface Place {
  clusterDir: string;
  account: Account;
}

/** File in the data folder with the path of a cluster that is elsewhere. */
const POINTER = 'postgres-location';

/** Creates the data folder if it is missing, and checks that we can write to it. */
export function prepareDataDir(dataDir: string): string {
  try {
    // Others may pass through (PostgreSQL runs as another user under root) but not look.
    mkdirSync(dataDir, { recursive: true, mode: 0o711 });
    accessSync(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
    return realpathSync(dataDir);
  } catch (error) {
    throw new StartError(
      `The data folder ${dataDir} cannot be written (${errorCode(error) ?? String(error)}); make it writable or set PURSER_DATA to another folder.`,
    );
  }
}

/** @throws {StartError} where this user may not see it: a start would make another database in its place */
export function isInitialised(clusterDir: string): boolean {
  try {
    accessSync(join(clusterDir, 'PG_VERSION'));
    return true;
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(errorCode(error) ?? '')) return false;
    throw new StartError(
      `The database in ${clusterDir} cannot be read (${errorCode(error)}). Run this as the user of the server, or give that user the folder.`,
      { cause: error },
    );
  }
}

/**
 * @throws {StartError} where the data folder has no database: a command must not make one, because an empty company
 * would stand for the one that was meant
 */
export function requireCluster(dataDir: string): void {
  refuseUnreadable(dataDir);
  if (hasCluster(dataDir)) return;
  refuseUnfinishedRestore(dataDir);
  refuseLostDatabase(dataDir);
  throw new StartError(
    `There is no Purser in ${dataDir} yet; set PURSER_DATA to the data folder of one, or start it once.`,
  );
}

/** A database that this user may not see is none that is missing. */
function refuseUnreadable(dataDir: string): void {
  try {
    accessSync(dataDir, constants.R_OK | constants.X_OK);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return;
    throw new StartError(
      `The data folder ${dataDir} cannot be read (${errorCode(error)}). Run this as the user of the server, or set PURSER_DATA to another folder.`,
      { cause: error },
    );
  }
}

function hasCluster(dataDir: string): boolean {
  return readPointer(dataDir) !== undefined || isInitialised(clusterOf(dataDir));
}

/**
 * Finds the cluster of a data folder, or chooses a place for a new one. It is in the data folder
 * itself, unless we are root and PostgreSQL's unprivileged user cannot get there. Then it is in a
 * folder it can enter, and a pointer file in the data folder has the path.
 *
 * @param dataDir the real path of a data folder made by prepareDataDir
 */
export async function choosePlace(dataDir: string): Promise<Place> {
  const pointed = readPointer(dataDir);
  const known = clusterOf(dataDir);
  if (isInitialised(known)) return { clusterDir: known, account: chooseAccount(known) };
  if (pointed !== undefined && !existsSync(dirname(pointed))) {
    throw new StartError(
      `The database of ${dataDir} was kept in ${pointed}, which is gone; restore it, or delete ${join(dataDir, POINTER)} to start with an empty one.`,
    );
  }
  const account = chooseAccount(undefined);
  if (await usable(dataDir, account)) return { clusterDir: join(dataDir, 'postgres'), account };
  // The name has a random part, too, so that a deleted and recreated data folder does not find its
  // old database.
  const hash = createHash('sha256').update(dataDir).digest('hex').slice(0, 16);
  const name = `${hash}-${randomBytes(4).toString('hex')}`;
  for (const root of sharedRoots()) {
    const home = join(root, name);
    if (!makeOwnFolder(home) || !(await usable(home, account))) continue;
    const clusterDir = join(home, 'postgres');
    rmSync(join(dataDir, POINTER), { force: true });
    writeOnce(join(dataDir, POINTER), `${clusterDir}\n`);
    return { clusterDir, account };
  }
  throw new StartError(
    `PostgreSQL's user (${account?.name ?? 'you'}) may not enter ${dataDir}; set PURSER_DATA to a folder that every user may pass through.`,
  );
}

/** Folder in which a backup is put together, next to the data folder that it becomes, and the lock of who does so. */
export function unfinishedRestore(dataDir: string): { folder: string; lock: string } {
  const folder = `${realPathOf(dataDir)}.restoring`;
  return { folder, lock: `${folder}.lock` };
}

/** Path without links, also of a folder that does not exist yet. */
export function realPathOf(path: string): string {
  try {
    return realpathSync(path);
  } catch (error) {
    if (errorCode(error) !== 'ENOENT' || dirname(path) === path) return path;
    return join(realPathOf(dirname(path)), basename(path));
  }
}

/**
 * @throws {StartError} where the data folder is empty and a restore into it was killed or still works: a start would make an
 * empty company in place of the one that is meant
 */
export function refuseUnfinishedRestore(dataDir: string): void {
  if (hasCluster(dataDir)) return;
  const { folder, lock } = unfinishedRestore(dataDir);
  if (isLocked(lock)) {
    throw new StartError(
      `A restore into ${dataDir} is in progress. Wait until it has ended, and start again.`,
    );
  }
  if (!existsSync(folder)) return;
  throw new StartError(
    `A restore into ${dataDir} has not finished; run it again, or delete ${folder} to start with an empty company.`,
  );
}

/** @throws {StartError} where a company was in the data folder, whose database is gone: a start would make an empty one */
export function refuseLostDatabase(dataDir: string): void {
  if (!existsSync(join(dataDir, ROOTS_FILE))) return;
  throw new StartError(
    `${dataDir} has the roots of a company, and its database is gone. Mount the disk that ${clusterOf(dataDir)} is on, set DATABASE_URL if it is elsewhere, or restore a backup into a new folder; to start with an empty company, move ${ROOTS_FILE} away.`,
  );
}

/** Path of a data folder's cluster, there or elsewhere. */
export function clusterOf(dataDir: string): string {
  return readPointer(dataDir) ?? join(dataDir, 'postgres');
}

/** Deletes a data folder whose database does not run, with a cluster that is elsewhere. */
export function removeDataDir(dataDir: string): void {
  const home = dirname(clusterOf(dataDir));
  if (OWN_HOME.test(home)) rmSync(home, { recursive: true, force: true });
  rmSync(dataDir, { recursive: true, force: true });
}

/** Folder of a cluster that is elsewhere, in one of the shared ones. */
const OWN_HOME = /\/purser\/[0-9a-f]{16}-[0-9a-f]{8}$/;

/**
 * Folders of ours that every user may enter, best first. On some machines the last does not survive
 * a restart, so it is used only when the first cannot be created.
 */
export function* sharedRoots(): Generator<string> {
  for (const root of ['/var/lib/purser', join(tmpdir(), 'purser')]) {
    if (makeOwnFolder(root)) yield root;
  }
}

function readPointer(dataDir: string): string | undefined {
  const path = join(dataDir, POINTER);
  return existsSync(path) ? readFileSync(path, 'utf8').trim() : undefined;
}

/**
 * False when the folder cannot be created or is another user's: in a folder open to all, another
 * user may have taken the name.
 */
function makeOwnFolder(path: string): boolean {
  try {
    mkdirSync(path, { recursive: true });
    const found = lstatSync(path);
    if (!found.isDirectory() || found.uid !== process.getuid?.()) return false;
    chmodSync(path, 0o755);
    return true;
  } catch {
    return false;
  }
}

/** Tests a folder: creates the empty folder of the cluster in `home`, owned by the account. */
async function usable(home: string, account: Account): Promise<boolean> {
  if (account === undefined) return true;
  const trial = join(home, 'postgres');
  try {
    mkdirSync(trial, { recursive: true, mode: 0o700 });
    chownSync(trial, account.uid, account.gid);
  } catch {
    return false;
  }
  if ((await mayAccess(account, '-w', trial)) && (await mayAccess(account, '-x', trial)))
    return true;
  rmdirSync(trial);
  return false;
}
