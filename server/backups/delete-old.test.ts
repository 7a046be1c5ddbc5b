import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { listBackups, nextName } from './backup-folder.ts';
import { deleteOld } from './delete-old.ts';

const DAY_MS = 86_400_000;
const NOW_MS = Date.parse('2026-11-28T02:00:00.000Z');
const YEAR = 365;

const folder = mkdtempSync(join(tmpdir(), 'purser-old-'));
afterEach(() => {
  for (const { path } of listBackups(folder)) rmSync(path, { recursive: true });
});

/** Makes a backup by a clock that is some days away from now. */
function make(days: number): string {
  const name = nextName(folder, new Date(NOW_MS + days * DAY_MS).toISOString());
  mkdirSync(join(folder, name));
  writeFileSync(join(folder, name, 'manifest.json'), '');
  return join(folder, name);
}

/** Makes a backup, and deletes the old ones, by that clock. Returns the days of those that are left. */
function makeAndDelete(days: number, { databaseDays = days } = {}) {
  make(days);
  const clocks = { nowMs: NOW_MS + days * DAY_MS, databaseMs: NOW_MS + databaseDays * DAY_MS };
  const outcome = deleteOld(folder, { keepDays: 30, ...clocks });
  return { ...outcome, left: daysLeft() };
}

function daysLeft(): number[] {
  return listBackups(folder).map(({ startedMs }) => ((startedMs ?? 0) - NOW_MS) / DAY_MS);
}

const nightly = Array.from({ length: 30 }, (_, index) => index - 30);

describe('old backups', () => {
  test('are deleted after as many days as they are kept', () => {
    for (const days of [-33, -32, -31, ...nightly]) make(days);
    const { deleted, left, doubt } = makeAndDelete(0);
    expect(deleted.map((path) => basename(path).slice(0, 10))).toEqual([
      '2026-10-26',
      '2026-10-27',
      '2026-10-28',
    ]);
    expect(left).toEqual([...nightly, 0]);
    expect(doubt).toBeNull();
  });

  test('stay where the newest was made by a clock that is a year ahead, and so does the next night', () => {
    for (const days of nightly) make(days);
    const first = makeAndDelete(YEAR);
    expect(first.deleted).toEqual([]);
    expect(first.doubt).toMatch(
      /^No backup was deleted for its age, because a clock may be wrong: 2027-11-28\S+ was made right after 2026-11-27/,
    );
    const second = makeAndDelete(YEAR + 1);
    expect(second.deleted).toEqual([]);
    expect(second.doubt).toBe(first.doubt);
    // The clock was set right.
    const third = makeAndDelete(2);
    expect(third.deleted).toEqual([]);
    expect(third.left).toEqual([...nightly, YEAR, YEAR + 1, 2]);
  });

  test('stay where the clock of the machine is not that of the database', () => {
    for (const days of [-60, -59, -58, -57]) make(days);
    const { deleted, doubt } = makeAndDelete(-20, { databaseDays: -60 });
    expect(deleted).toEqual([]);
    expect(doubt).toContain("more than a day away from the database's");
  });

  test('of before a pause are deleted once that many days have passed after it', () => {
    for (const days of [-100, -99, -98]) make(days);
    for (const days of nightly) make(days);
    expect(makeAndDelete(0)).toMatchObject({
      deleted: [],
      doubt: expect.stringContaining('2026-10-29'),
    });
    const { deleted, left, doubt } = makeAndDelete(1);
    expect(deleted).toHaveLength(4);
    expect(left).toEqual([...nightly.slice(1), 0, 1]);
    expect(doubt).toBeNull();
  });

  test('made once a week are deleted, too', () => {
    for (const days of [-42, -35, -28, -21, -14, -7]) make(days);
    expect(makeAndDelete(0.01)).toMatchObject({ left: [-28, -21, -14, -7, 0.01], doubt: null });
  });

  test('are never fewer than the newest two by the order in which they were made', () => {
    for (const days of [-120, -80]) make(days);
    expect(makeAndDelete(-40).left).toEqual([-80, -40]);
    // One that is named by hand counts as none, and stays.
    mkdirSync(join(folder, 'before-upgrade'));
    writeFileSync(join(folder, 'before-upgrade', 'manifest.json'), '');
    expect(makeAndDelete(0).left).toHaveLength(3);
  });

  test('keep their order by number, and those without one come first', () => {
    const before = join(folder, '2031-01-01T00-00-00.000Z');
    mkdirSync(before);
    writeFileSync(join(before, 'manifest.json'), '');
    const made = Array.from({ length: 11 }, (_, index) => make(-index));
    expect(listBackups(folder).map(({ path }) => path)).toEqual([before, ...made]);
    // A backup that is being made has its number already.
    const unfinished = `${nextName(folder, '2026-11-28T02:00:00.000Z')}.abc-12.unfinished`;
    mkdirSync(join(folder, unfinished));
    expect(nextName(folder, '2026-11-28T02:00:00.000Z')).toBe('2026-11-28T02-00-00.000Z-13');
    rmSync(join(folder, unfinished), { recursive: true });
  });
});
