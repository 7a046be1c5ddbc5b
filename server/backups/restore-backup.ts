import { execFileSync } from 'node:child_process';
import { createReadStream, existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { choosePlace, prepareDataDir } from '#server/db/embedded/place.ts';
import { fullDisk, isFullDisk } from '#server/lib/full-disk.ts';
import { StartError } from '#server/lib/start-error.ts';
import { readPart, sumOf } from './encrypted-part.ts';
import { fileOf, PARTS, readBackupManifest } from './make-backup.ts';
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
  if (existsSync(dataDir) && readdirSync(dataDir).length > 0) {
    throw new StartError(
      `${dataDir} holds a company or something else; nothing is restored over it. Name an empty folder in PURSER_DATA.`,
    );
  }
  const made = readBackupManifest(path);
  await compareSums(path, made);
  const unfinished = `${dataDir}.restoring`;
  rmSync(unfinished, { recursive: true, force: true });
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
    rmSync(dataDir, { recursive: true, force: true });
    renameSync(home, dataDir);
    return made;
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true });
    if (error instanceof StartError) throw error;
    if (isFullDisk(error)) throw fullDisk(dirname(dataDir), error);
    throw new StartError(`${basename(path)} could not be restored: ${String(error)}.`, {
      cause: error,
    });
  }
}

async function compareSums(path: string, { parts }: Manifest): Promise<void> {
  for (const name of PARTS) {
    const expected = parts[name];
    if (expected === undefined) continue;
    const file = fileOf(path, name);
    if (!existsSync(file)) throw new StartError(`${file} is missing.`);
    const { sha256 } = await sumOf(createReadStream(file));
    if (sha256 !== expected.sha256) throw new StartError(`${file} is not as it was written.`);
  }
}
