import { rmSync } from 'node:fs';
import { basename } from 'node:path';
import { errorCode } from '#server/lib/start-error.ts';
import { listBackups } from './backup-folder.ts';
import type { Backup } from './backup-folder.ts';

const DAY_MS = 86_400_000;

/** Newest backups that stay, whatever the clock says. */
const ALWAYS_KEPT = 2;

/** Backups that were deleted because of their age, or should have been. */
export interface Deleted {
  /** Folders of those that were deleted. */
  deleted: string[];
  /** Folders of those that could not be, each with the code of the error. */
  notDeleted: [path: string, code: string][];
  /** Sentence for those that a doubtful clock keeps; null if there are none. */
  doubt: string | null;
}

interface Clocks {
  keepDays: number;
  /** Time by this machine. */
  nowMs: number;
  /** Time by the database. */
  databaseMs: number;
}

/** Deletes the backups that are too old, after a new one was made. */
export function deleteOld(folder: string, clocks: Clocks): Deleted {
  const { old, doubt } = chooseOld(listBackups(folder), clocks);
  const outcome: Deleted = { deleted: [], notDeleted: [], doubt };
  for (const path of old) {
    try {
      rmSync(path, { recursive: true, force: true });
      outcome.deleted.push(path);
    } catch (error) {
      // The new backup is made all the same.
      outcome.notDeleted.push([path, errorCode(error) || String(error)]);
    }
  }
  return outcome;
}

/**
 * Backups that are too old, by a clock that is believed. Where it differs from the database's, none is. Where it jumped
 * between two backups, the earlier one and those before it count as being as old as the later one: a clock that is a year
 * ahead makes them no older, and neither does a year in which the machine was off.
 *
 * @param backups in the order in which they were made
 */
export function chooseOld(
  backups: readonly Backup[],
  { keepDays, nowMs, databaseMs }: Clocks,
): { old: string[]; doubt: string | null } {
  const known = backups.flatMap(({ path, startedMs }) =>
    startedMs === null ? [] : [{ path, startedMs }],
  );
  const oldestMs = nowMs - keepDays * DAY_MS;
  const isOld = ({ startedMs }: { startedMs: number }) => startedMs < oldestMs;
  const mayGo = known.slice(0, -ALWAYS_KEPT).filter(isOld);
  if (mayGo.length === 0) return { old: [], doubt: null };
  const kept = 'No backup was deleted for its age,';
  if (Math.abs(nowMs - databaseMs) > DAY_MS) {
    const doubt = `${kept} because the clock of this machine is more than a day away from the database's. Set it right.`;
    return { old: [], doubt };
  }
  const jump = lastJump(known.map(({ startedMs }) => startedMs));
  const [before, after] = [known[jump - 1], known[jump]];
  if (before === undefined || after === undefined || isOld(after))
    return { old: mayGo.map(({ path }) => path), doubt: null };
  const doubt = `${kept} because a clock may be wrong: ${basename(after.path)} was made right after ${basename(before.path)}. Those before it are deleted ${keepDays} days after it; if the clock is right, delete them by hand.`;
  return { old: [], doubt };
}

/**
 * Place of the last backup that is more than a day earlier than the one before it, or more than a day later than is usual
 * here; -1 if there is none.
 */
function lastJump(times: readonly number[]): number {
  const gaps = times.slice(1).map((time, index) => time - (times[index] ?? time));
  const lengths = gaps.map(Math.abs).toSorted((one, other) => one - other);
  const usual = lengths[Math.floor((lengths.length - 1) / 2)] ?? 0;
  const gap = gaps.findLastIndex((one) => one < -DAY_MS || one > usual + DAY_MS);
  return gap === -1 ? -1 : gap + 1;
}
