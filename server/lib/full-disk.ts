import { statfsSync } from 'node:fs';
import { dirname } from 'node:path';
import { errorCode, StartError } from './start-error.ts';

/** Codes of file systems for no room, for everybody and for this user, and PostgreSQL's `disk_full`. */
const CODES = ['ENOSPC', 'EDQUOT', '53100'];

export function isFullDisk(error: unknown): boolean {
  return CODES.includes(errorCode(error) ?? '');
}

/** Error of a folder whose disk is full, which says what to do. */
export function fullDisk(folder: string, cause?: unknown): StartError {
  return new StartError(`The disk of ${folder} is full. Make room on it, and start again.`, {
    cause,
  });
}

/** The same for an error of the file system that did not say in which folder; null for any other error. */
export function asFullDisk(error: unknown): StartError | null {
  if (!(error instanceof Error) || !isFullDisk(error)) return null;
  const folder = 'path' in error && typeof error.path === 'string' ? dirname(error.path) : null;
  if (folder !== null) return fullDisk(folder, error);
  return new StartError(`A disk is full (${error.message}). Make room on it, and start again.`, {
    cause: error,
  });
}

/** Bytes that this process may still write in a folder. */
export function freeBytes(folder: string): number {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}
