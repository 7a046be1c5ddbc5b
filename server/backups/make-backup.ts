import { randomUUID } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, sep } from 'node:path';
import type { Readable } from 'node:stream';
import {
  generateHybridIdentity,
  generateX25519Identity,
  identityToRecipient,
} from 'age-encryption';
import { isLeftBehind, thisProcess } from '#server/db/embedded/processes.ts';
import { withClient } from '#server/db/embedded/roles.ts';
import { freeBytes, isFullDisk } from '#server/lib/full-disk.ts';
import { LIMITS } from '#server/lib/limits.ts';
import { errorCode, StartError } from '#server/lib/start-error.ts';
import { VERSION } from '#server/lib/version.ts';
import { openBaseBackup } from './base-backup.ts';
import { deleteOld } from './delete-old.ts';
import type { Deleted } from './delete-old.ts';
import { encrypterFor, readPart, sumOf, writePart } from './encrypted-part.ts';
import { fileOf, labelOf, nextName, writeManifest } from './backup-folder.ts';
import type { Manifest, Origin, PartName } from './backup-folder.ts';
import { packFolder } from './tar.ts';

export interface BackupOptions {
  dataDir: string;
  /** The cluster's folder, in the data folder or elsewhere. */
  clusterDir: string;
  /** URL of the cluster's superuser. */
  superuserUrl: string;
  /** Folder that holds all backups. */
  folder: string;
  /** Public keys of age that open it. */
  recipients: readonly string[];
  keepDays: number;
  now: () => Date;
  /** Aborted where the backup is to be given up. */
  stopped: AbortSignal;
}

export interface MadeBackup extends Deleted {
  /** Folder of the backup. */
  path: string;
  manifest: Manifest;
}

/**
 * Backs up the embedded database and the data folder while servers work. The backup is a folder, which has its name only
 * once it is whole and was read back: every part is decrypted again, by a key that exists for this one process and is
 * then forgotten, and compared with what was read from the database and the disk.
 *
 * @throws {StartError} when there is no room, or no key; the earlier backups stay
 */
export async function makeBackup(options: BackupOptions): Promise<MadeBackup> {
  const { folder, now } = options;
  encrypterFor(options.recipients);
  const startedAt = now().toISOString();
  let unfinished: string | undefined;
  try {
    makeFolder(folder);
    refuseWithin(options);
    removeAbandoned(folder, now());
    const path = join(folder, nextName(folder, startedAt));
    unfinished = `${path}.${thisProcess()}.unfinished`;
    mkdirSync(unfinished, { mode: 0o700 });
    const origin = { format: 2, id: randomUUID(), version: VERSION, startedAt } as const;
    const parts = await writeParts(unfinished, origin, options);
    const manifest = { ...origin, finishedAt: now().toISOString(), parts };
    writeManifest(unfinished, manifest);
    const clocks = { nowMs: now().getTime(), databaseMs: await databaseTime(options) };
    renameSync(unfinished, path);
    return { path, manifest, ...deleteOld(folder, { keepDays: options.keepDays, ...clocks }) };
  } catch (error) {
    if (unfinished !== undefined) rmSync(unfinished, { recursive: true, force: true });
    if (options.stopped.aborted) {
      throw new StartError(
        `Stopped: no backup was made in ${folder}. The earlier ones are as they were.`,
      );
    }
    if (error instanceof StartError) throw error;
    throw new StartError(
      `No backup was made in ${folder}: ${reason(error)}. The earlier ones are as they were.`,
      { cause: error },
    );
  }
}

/** The folder around it is not made: backups would be on another disk than the one that is not mounted. */
export function makeFolder(folder: string): void {
  if (!existsSync(dirname(folder))) {
    throw new StartError(
      `No backup was made, because there is no ${dirname(folder)}. Mount its disk, make the folder, or set PURSER_BACKUPS to another.`,
    );
  }
  // Not recursive, which names a disk that cannot be written as one that is missing.
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error;
  }
}

/** Codes for a folder that is a file, or that this user may not write. */
const NOT_WRITABLE = ['EACCES', 'EEXIST', 'ENOTDIR', 'EPERM', 'EROFS'];

function reason(error: unknown): string {
  if (isFullDisk(error)) return 'there is no room left. Make room there, and start again';
  const code = errorCode(error) ?? '';
  return NOT_WRITABLE.includes(code)
    ? `the folder cannot be written (${code}). Make it a folder of this user, or set PURSER_BACKUPS to another`
    : String(error);
}

/** Path of a folder in the data folder, from there; null if it is elsewhere. */
function pathWithin(dataDir: string, folder: string): string | null {
  const path = relative(realpathSync(dataDir), realpathSync(folder));
  return path === '..' || path.startsWith(`..${sep}`) || isAbsolute(path) ? null : path;
}

/** Each backup would have the ones before it, if the folder were part of what is backed up. */
function refuseWithin({ dataDir, folder }: BackupOptions): void {
  const path = pathWithin(dataDir, folder);
  if (path === null || (path !== '' && dirname(path) === '.')) return;
  throw new StartError(
    `No backup was made, because ${folder} is ${path === '' ? '' : 'within a folder of '}the data folder. Set PURSER_BACKUPS to ${join(dataDir, 'backups')}, or to a folder elsewhere.`,
  );
}

async function databaseTime({ superuserUrl }: BackupOptions): Promise<number> {
  return withClient(superuserUrl, async (client) => {
    const { rows } = await client.query<{ at: Date }>('SELECT clock_timestamp() AS at');
    return rows[0]?.at.getTime() ?? 0;
  });
}

async function writeParts(
  folder: string,
  origin: Omit<Origin, 'parts'>,
  options: BackupOptions,
): Promise<Manifest['parts']> {
  // Keys against quantum computers are not mixed with others, by the format.
  const isHybrid = options.recipients.some((one) => one.startsWith('age1pq'));
  const identity = await (isHybrid ? generateHybridIdentity() : generateX25519Identity());
  const recipients = [...options.recipients, await identityToRecipient(identity)];
  const { stopped } = options;
  const checkRoom = roomCheck(options);
  checkRoom();
  const write = async (name: PartName, source: Readable) => {
    const file = fileOf(folder, name);
    const label = labelOf({ ...origin, parts: sources }, name);
    const { stored, content } = await writePart(file, source, {
      label,
      recipients,
      checkRoom,
      stopped,
    });
    const read = await sumOf(await readPart(file, { identity, label }), stopped);
    if (read.sha256 !== content.sha256) throw new Error(`${name} is not read as it was written`);
    return stored;
  };
  const { settings, files } = namesIn(options);
  const hasFiles = files.length > 0;
  const sources = { settings, database: [], ...(hasFiles && { files }) };
  return {
    settings: await write('settings', packFolder(options.dataDir, settings)),
    database: await write('database', await openBaseBackup(options.superuserUrl)),
    ...(hasFiles && { files: await write('files', packFolder(options.dataDir, files)) }),
  };
}

/**
 * A check before each piece that is written. On the disk of the database a backup leaves room, because PostgreSQL ends when
 * its log has none. Elsewhere the file system itself says when the disk is full.
 */
function roomCheck({ folder, clusterDir }: BackupOptions): () => void {
  if (statSync(folder).dev !== statSync(clusterDir).dev) return () => undefined;
  const { minFreeBytes } = LIMITS.backups;
  const room = `${minFreeBytes / 1e6} MB of that disk are left for the database`;
  return () => {
    if (freeBytes(folder) >= minFreeBytes) return;
    throw new StartError(
      `No backup was made in ${folder}: ${room}. Make room there, or set PURSER_BACKUPS to another disk. The earlier ones are as they were.`,
    );
  };
}

const LARGE = ['files', 'mail'];
/** Things of one machine and one moment. */
const NOT_KEPT =
  /^(?:postgres\.(?:lock|alive)\b.*|postgres-users|postgres-location|.*\.unfinished)$/;

function namesIn({
  dataDir,
  clusterDir,
  folder,
}: BackupOptions): Record<'settings' | 'files', string[]> {
  const besides = [clusterDir, folder].flatMap((one) => [
    ...(dirname(one) === dataDir ? [basename(one)] : []),
    // The same folder, named by another path.
    pathWithin(dataDir, one),
  ]);
  const names = readdirSync(dataDir).filter(
    (name) => !besides.includes(name) && !NOT_KEPT.test(name),
  );
  return {
    settings: names.filter((name) => !LARGE.includes(name)),
    files: names.filter((name) => LARGE.includes(name)),
  };
}

function removeAbandoned(folder: string, now: Date): void {
  for (const name of readdirSync(folder)) {
    // After the time at which it was begun.
    const [, maker] = /^[\dT.-]+Z(?:-\d+)?\.(.+)\.unfinished$/.exec(name) ?? [];
    if (maker === undefined) continue;
    const path = join(folder, name);
    const found = statSync(path, { throwIfNoEntry: false });
    if (found === undefined) continue;
    if (isLeftBehind(maker, { madeMs: found.mtimeMs, nowMs: now.getTime() }))
      rmSync(path, { recursive: true, force: true });
  }
}
