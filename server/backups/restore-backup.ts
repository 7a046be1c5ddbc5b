import { execFileSync } from 'node:child_process';
import {
  createReadStream,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmdirSync,
} from 'node:fs';
import { basename, dirname } from 'node:path';
import { withFileLock } from '#server/db/embedded/file-lock.ts';
import {
  choosePlace,
  prepareDataDir,
  realPathOf,
  removeDataDir,
  unfinishedRestore,
} from '#server/db/embedded/place.ts';
import { fullDisk, isFullDisk } from '#server/lib/full-disk.ts';
import { errorCode, StartError } from '#server/lib/start-error.ts';
import { readPart, sumOf } from './encrypted-part.ts';
import { fileOf, labelOf, OTHER_BACKUP, PARTS, readBackupManifest } from './backup-folder.ts';
import type { Manifest, PartName } from './backup-folder.ts';
import { unpackInto } from './tar.ts';

interface RestoreOptions {
  /** Folder of the backup. */
  path: string;
  /** Private key of age. */
  identity: string;
  dataDir: string;
  /** Aborted where the restore is to be given up. */
  stopped: AbortSignal;
}

/**
 * Puts a backup into an empty data folder. The folder has its name only once all is in it, so that no server starts on
 * the half of a company. The database is not started.
 *
 * @throws {StartError} where the folder holds anything, another restore works on it, the key does not open the backup, or a
 *   byte of it was changed
 */
export async function restoreBackup(options: RestoreOptions): Promise<Manifest> {
  const { path, dataDir, stopped } = options;
  refuseOccupied(dataDir);
  const made = readBackupManifest(path);
  await compareSums(path, made, options);
  try {
    mkdirSync(dirname(dataDir), { recursive: true });
    const { folder, lock } = unfinishedRestore(dataDir);
    const put = () => putInPlace(folder, made, options);
    const busy = `Another restore into ${dataDir} is in progress. This one changed nothing; wait for the other one to end.`;
    await withFileLock(lock, 0, put, () => busy);
    return made;
  } catch (error) {
    if (stopped.aborted) throw nothingRestored(dataDir);
    if (error instanceof StartError) throw error;
    if (isFullDisk(error)) throw fullDisk(dirname(dataDir), error);
    const code = errorCode(error) ?? '';
    if (NOT_REPLACED.includes(code)) {
      throw new StartError(
        `Nothing was restored, because ${dataDir} cannot be replaced by a folder next to it (${code}). Name a new folder in PURSER_DATA, one within the disk that is mounted there for example.`,
        { cause: error },
      );
    }
    throw new StartError(
      `${basename(path)} could not be restored (${String(error)}). ${OTHER_BACKUP}`,
      { cause: error },
    );
  }
}

/** @param unfinished folder that becomes the data folder */
async function putInPlace(
  unfinished: string,
  made: Manifest,
  { path, identity, dataDir, stopped }: RestoreOptions,
): Promise<void> {
  refuseOccupied(dataDir);
  removeDataDir(unfinished);
  try {
    const home = prepareDataDir(unfinished);
    const unpack = async (name: PartName, into: string) => {
      const label = labelOf(made, name);
      await unpackInto(into, await readPart(fileOf(path, name), { identity, label }), stopped);
    };
    await unpack('settings', home);
    const { clusterDir, account } = await choosePlace(home);
    mkdirSync(clusterDir, { recursive: true, mode: 0o700 });
    await unpack('database', clusterDir);
    if (account !== undefined)
      execFileSync('chown', ['-R', `${account.uid}:${account.gid}`, clusterDir]);
    if (made.parts.files !== undefined) await unpack('files', home);
    stopped.throwIfAborted();
    // Something that began to use the folder meanwhile is not written over.
    refuseOccupied(dataDir);
    // A link to an empty folder stays, and leads to the company.
    const place = realPathOf(dataDir);
    if (existsSync(place)) rmdirSync(place);
    renameSync(home, place);
  } catch (error) {
    removeDataDir(unfinished);
    throw error;
  }
}

function nothingRestored(dataDir: string): StartError {
  return new StartError(`Stopped: nothing was restored into ${dataDir}.`);
}

/** Codes for a folder that is the root of a disk, is below a file, or whose parent is another user's or cannot be written. */
const NOT_REPLACED = [
  'EBUSY',
  'EXDEV',
  'EACCES',
  'EPERM',
  'EROFS',
  'ENOTDIR',
  'EEXIST',
  'ENOTEMPTY',
];

/** @throws {StartError} where the folder exists and is not empty, or is none */
function refuseOccupied(dataDir: string): void {
  const advice = 'nothing is restored over it. Name an empty folder in PURSER_DATA.';
  let names: string[];
  try {
    names = existsSync(dataDir) ? readdirSync(dataDir) : [];
  } catch (error) {
    throw new StartError(`${dataDir} cannot be read (${errorCode(error)}); ${advice}`, {
      cause: error,
    });
  }
  if (names.length > 0) {
    throw new StartError(`${dataDir} holds a company or something else; ${advice}`);
  }
}

async function compareSums(
  path: string,
  { parts }: Manifest,
  { dataDir, stopped }: RestoreOptions,
): Promise<void> {
  for (const name of PARTS) {
    const expected = parts[name];
    if (expected === undefined) continue;
    const file = fileOf(path, name);
    if (!existsSync(file)) throw new StartError(`${file} is missing. ${OTHER_BACKUP}`);
    const { sha256 } = await sumOf(createReadStream(file), stopped).catch((error: unknown) => {
      if (stopped.aborted) throw nothingRestored(dataDir);
      throw new StartError(`${file} cannot be read (${errorCode(error)}). ${OTHER_BACKUP}`, {
        cause: error,
      });
    });
    if (sha256 !== expected.sha256) {
      throw new StartError(`${file} is not as it was written. ${OTHER_BACKUP}`);
    }
  }
}
