import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { errorCode, StartError } from '#server/lib/start-error.ts';

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

const manifest = z
  .strictObject({
    format: z.union([z.literal(1), z.literal(2)]),
    /** Id that each part has inside its encryption. Backups of format 1 have none. */
    id: z.uuid().optional(),
    /** Version of Purser that made it. */
    version: z.string(),
    startedAt: z.iso.datetime(),
    /** The books are those of this moment or a little earlier. */
    finishedAt: z.iso.datetime(),
    parts: z.strictObject({ settings: part, database: part, files: part.optional() }),
    /** SHA-256 of the rest of it. Backups of before November 2026 have none. */
    sha256: z.string().optional(),
  })
  .refine(({ format, id, sha256 }) =>
    format === 1 ? id === undefined : id !== undefined && sha256 !== undefined,
  );
export type Manifest = Omit<z.infer<typeof manifest>, 'sha256'>;

/** Facts of a backup that each of its parts repeats. */
export interface Origin extends Pick<Manifest, 'id' | 'version' | 'startedAt'> {
  parts: Readonly<Partial<Record<PartName, unknown>>>;
}

/**
 * Label of a part, which is encrypted with it: nobody without the private key can make a part of one backup a part of
 * another, or leave one out.
 *
 * @returns undefined for a backup of format 1, whose parts have none
 */
export function labelOf(origin: Origin, name: PartName): string | undefined {
  const { id, version, startedAt } = origin;
  if (id === undefined) return undefined;
  const parts = PARTS.filter((one) => origin.parts[one] !== undefined);
  return JSON.stringify({ backup: id, version, startedAt, parts, part: name });
}

/** Path of a part in the folder of a backup. */
export function fileOf(path: string, name: PartName): string {
  return join(path, `${name}.tar.zst.age`);
}

/** Writes the manifest of a backup into its folder. */
export function writeManifest(path: string, made: Manifest): void {
  const written = JSON.stringify({ ...made, sha256: sumOfManifest(made) }, null, 2);
  writeFileSync(join(path, MANIFEST), `${written}\n`, { flush: true });
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

/** Name of a backup's folder: its time, and its number where it was made since November 2026. */
const NAME = /^(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d\.\d{3}Z)(?:-(\d+))?(?=$|\..+\.unfinished$)/;

/** A whole backup in the folder of all. */
export interface Backup {
  path: string;
  /** Time at which it was begun, by the clock of then; null for a folder that a person named. */
  startedMs: number | null;
}

/**
 * Whole backups in a folder, in the order in which they were made. Each has the number after the greatest one there was, so
 * that a wrong clock does not change it; those without a number come first.
 */
export function listBackups(folder: string): Backup[] {
  if (!existsSync(folder)) return [];
  return namesIn(folder)
    .filter((name) => !name.endsWith('.unfinished') && existsSync(join(folder, name, MANIFEST)))
    .map((name) => ({ name, ...readName(name) }))
    .toSorted((one, other) => one.number - other.number || (one.name < other.name ? -1 : 1))
    .map(({ name, startedMs }) => ({ path: join(folder, name), startedMs }));
}

/** Name for the folder of a new backup. */
export function nextName(folder: string, startedAt: string): string {
  const last = Math.max(0, ...namesIn(folder).map((name) => readName(name).number));
  return `${startedAt.replaceAll(':', '-')}-${last + 1}`;
}

/** Number and time in a folder's name. The number is 0 where it has none, and -1 where a person named it. */
function readName(name: string): { number: number; startedMs: number | null } {
  const [whole, day, hours, minutes, seconds, number = '0'] = NAME.exec(name) ?? [];
  if (whole === undefined) return { number: -1, startedMs: null };
  return {
    number: Number(number),
    startedMs: Date.parse(`${day}T${hours}:${minutes}:${seconds}`),
  };
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    throw new StartError(
      `The backups in ${folder} cannot be read (${errorCode(error)}). Set PURSER_BACKUPS to their folder, and run this as a user who may read it.`,
      { cause: error },
    );
  }
}
