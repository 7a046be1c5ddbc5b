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
import {
  choosePlace,
  prepareDataDir,
  removeDataDir,
  unfinishedRestore,
} from '#server/db/embedded/place.ts';
import { fullDisk, isFullDisk } from '#server/lib/full-disk.ts';
import { errorCode, StartError } from '#server/lib/start-error.ts';
import { readPart, sumOf } from './encrypted-part.ts';
import { fileOf, OTHER_BACKUP, PARTS, readBackupManifest } from './make-backup.ts';
import type { Manifest } from './make-backup.ts';
import { unpackInto } from './tar.ts';

/**
 * Puts a backup into an empty data folder. The folder has its name only once all is in it, so that no server starts on
 * the half of a company. The database is not started.
 *
 * @param options.identity private key of age
 * @throws {StartError} where the folder holds anything, the key does not open the backup, or a byte of it was changed
 */
export async function restoreBackup(options: {
  path: string;
  identity: string;
  dataDir: string;
}): Promise<Manifest> {
  const { path, identity, dataDir } = options;
  refuseOccupied(dataDir);
  const made = readBackupManifest(path);
  await compareSums(path, made);
  const unfinished = unfinishedRestore(dataDir);
  removeDataDir(unfinished);
  try {
    const home = prepareDataDir(unfinished);
    await unpackInto(home, await readPart(fileOf(path, 'settings'), identity));
    const { clusterDir, account } = await choosePlace(home);
    mkdirSync(clusterDir, { recursive: true, mode: 0o700 });
    await unpackInto(clusterDir, await readPart(fileOf(path, 'database'), identity));
    if (account !== undefined)
      execFileSync('chown', ['-R', `${account.uid}:${account.gid}`, clusterDir]);
    if (made.parts.files !== undefined) {
      await unpackInto(home, await readPart(fileOf(path, 'files'), identity));
    }
    if (existsSync(dataDir)) rmdirSync(dataDir);
    renameSync(home, dataDir);
    return made;
  } catch (error) {
    removeDataDir(unfinished);
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

/** Codes for a folder that is the root of a disk, or whose parent is another user's. */
const NOT_REPLACED = ['EBUSY', 'EXDEV', 'EACCES', 'EPERM'];

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

async function compareSums(path: string, { parts }: Manifest): Promise<void> {
  for (const name of PARTS) {
    const expected = parts[name];
    if (expected === undefined) continue;
    const file = fileOf(path, name);
    if (!existsSync(file)) throw new StartError(`${file} is missing. ${OTHER_BACKUP}`);
    const { sha256 } = await sumOf(createReadStream(file));
    if (sha256 !== expected.sha256) {
      throw new StartError(`${file} is not as it was written. ${OTHER_BACKUP}`);
    }
  }
}
