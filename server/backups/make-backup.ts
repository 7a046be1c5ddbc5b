import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, sep } from 'node:path';
import type { Readable } from 'node:stream';
import {
  generateHybridIdentity,
  generateX25519Identity,
  identityToRecipient,
} from 'age-encryption';
import { z } from 'zod';
import { isLeftBehind, thisProcess } from '#server/db/embedded/processes.ts';
import { freeBytes, isFullDisk } from '#server/lib/full-disk.ts';
import { LIMITS } from '#server/lib/limits.ts';
import { errorCode, StartError } from '#server/lib/start-error.ts';
import { VERSION } from '#server/lib/version.ts';
import { openBaseBackup } from './base-backup.ts';
import { encrypterFor, readPart, sumOf, writePart } from './encrypted-part.ts';
import { packFolder } from './tar.ts';

const DAY_MS = 86_400_000;
const MANIFEST = 'manifest.json';

const part = z.strictObject({
  bytes: z.int().nonnegative(),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
});

/**
 * Parts in the order in which they are written. Roots and keys come before the database, so that no root of a backup is
 * newer than its books; files come after it, because an image is stored before its row.
 */
export const PARTS = ['settings', 'database', 'files'] as const;
export type PartName = (typeof PARTS)[number];

const manifest = z.strictObject({
  format: z.literal(1),
  /** Version of Purser that made it. */
  version: z.string(),
  startedAt: z.iso.datetime(),
  /** The books are those of this moment or a little earlier. */
  finishedAt: z.iso.datetime(),
  parts: z.strictObject({ settings: part, database: part, files: part.optional() }),
  /** SHA-256 of the rest of it. Backups of before November 2026 have none. */
  sha256: z.string().optional(),
});
export type Manifest = z.infer<typeof manifest>;

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

export interface MadeBackup {
  /** Folder of the backup. */
  path: string;
  manifest: Manifest;
  /** Folders of backups that were deleted because of their age. */
  deleted: string[];
  /** Folders of older ones that could not be deleted, each with the code of the error. */
  notDeleted: [path: string, code: string][];
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
  const path = join(folder, startedAt.replaceAll(':', '-'));
  const unfinished = `${path}.${thisProcess()}.unfinished`;
  try {
    makeFolder(folder);
    refuseWithin(options);
    removeAbandoned(folder, now());
    mkdirSync(unfinished, { mode: 0o700 });
    const parts = await writeParts(unfinished, options);
    const made: Manifest = {
      format: 1,
      version: VERSION,
      startedAt,
      finishedAt: now().toISOString(),
      parts,
    };
    const written = JSON.stringify({ ...made, sha256: sumOfManifest(made) }, null, 2);
    writeFileSync(join(unfinished, MANIFEST), `${written}\n`, { flush: true });
    renameSync(unfinished, path);
    return { path, manifest: made, ...deleteOld(options) };
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true });
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

async function writeParts(folder: string, options: BackupOptions): Promise<Manifest['parts']> {
  // Keys against quantum computers are not mixed with others, by the format.
  const isHybrid = options.recipients.some((one) => one.startsWith('age1pq'));
  const identity = await (isHybrid ? generateHybridIdentity() : generateX25519Identity());
  const recipients = [...options.recipients, await identityToRecipient(identity)];
  const { stopped } = options;
  const checkRoom = roomCheck(options);
  checkRoom();
  const write = async (name: PartName, source: Readable) => {
    const file = fileOf(folder, name);
    const { stored, content } = await writePart(file, source, { recipients, checkRoom, stopped });
    const read = await sumOf(await readPart(file, identity), stopped);
    if (read.sha256 !== content.sha256) throw new Error(`${name} is not read as it was written`);
    return stored;
  };
  const { settings, files } = namesIn(options);
  return {
    settings: await write('settings', packFolder(options.dataDir, settings)),
    database: await write('database', await openBaseBackup(options.superuserUrl)),
    ...(files.length > 0 && { files: await write('files', packFolder(options.dataDir, files)) }),
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

/** Path of a part in the folder of a backup. */
export function fileOf(path: string, name: PartName): string {
  return join(path, `${name}.tar.zst.age`);
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

/** Whole backups in a folder, oldest first. */
export function listBackups(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return namesOf(folder)
    .filter((name) => !name.endsWith('.unfinished') && existsSync(join(folder, name, MANIFEST)))
    .toSorted()
    .map((name) => join(folder, name));
}

function namesOf(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    throw new StartError(
      `The backups in ${folder} cannot be read (${errorCode(error)}). Set PURSER_BACKUPS to their folder, and run this as a user who may read it.`,
      { cause: error },
    );
  }
}

/** @throws {StartError} where it is missing or is not one of this version */
export function readBackupManifest(path: string): Manifest {
  try {
    const { sha256, ...made } = manifest.parse(
      JSON.parse(readFileSync(join(path, MANIFEST), 'utf8')),
    );
    if (sha256 !== undefined && sha256 !== sumOfManifest(made)) throw new Error('its sum differs');
    return made;
  } catch (error) {
    throw new StartError(
      `${path} is no backup of Purser, or its ${MANIFEST} was changed. ${OTHER_BACKUP}`,
      { cause: error },
    );
  }
}

/** Order of a person who restores, where a backup is damaged. */
export const OTHER_BACKUP = 'Name the folder of another backup, or of a copy of this one.';

function sumOfManifest(made: Manifest): string {
  return createHash('sha256').update(JSON.stringify(made)).digest('hex');
}

/** The newest stays however old it is. */
function deleteOld({
  folder,
  keepDays,
  now,
}: BackupOptions): Pick<MadeBackup, 'deleted' | 'notDeleted'> {
  const oldest = now().getTime() - keepDays * DAY_MS;
  const old = listBackups(folder)
    .slice(0, -1)
    .filter((path) => isOlder(join(path, MANIFEST), oldest));
  const made: Pick<MadeBackup, 'deleted' | 'notDeleted'> = { deleted: [], notDeleted: [] };
  for (const path of old) {
    try {
      rmSync(path, { recursive: true, force: true });
      made.deleted.push(path);
    } catch (error) {
      // The new backup is made all the same.
      made.notDeleted.push([path, errorCode(error) || String(error)]);
    }
  }
  return made;
}

function removeAbandoned(folder: string, now: Date): void {
  for (const name of readdirSync(folder)) {
    // After the time at which it was begun.
    const [, maker] = /^[\dT.-]+Z\.(.+)\.unfinished$/.exec(name) ?? [];
    if (maker === undefined) continue;
    const path = join(folder, name);
    const found = statSync(path, { throwIfNoEntry: false });
    if (found === undefined) continue;
    if (isLeftBehind(maker, { madeMs: found.mtimeMs, nowMs: now.getTime() }))
      rmSync(path, { recursive: true, force: true });
  }
}

/** False for what is gone: another backup may have deleted or renamed it. */
function isOlder(path: string, thanMs: number): boolean {
  const found = statSync(path, { throwIfNoEntry: false });
  return found !== undefined && found.mtimeMs < thanMs;
}
