import { setTimeout as sleep } from 'node:timers/promises';
import { dayIn } from '#contract/calendar.ts';
import { LIMITS } from '#server/lib/limits.ts';
import { readSettings } from '#server/modules/settings/index.ts';
import { lastRunAt, lastWholeAt, runInProgress } from './queries.ts';
import { verifyBooks } from './verify-books.ts';
import type { BooksVerifier } from './verify-books.ts';

/** Aborted when the server stops. The next run finds the same problems. */
interface Stop {
  signal: AbortSignal;
}

/**
 * Every few minutes: verifies the rows after the last sound run. While a payroll is being posted it holds off, since both
 * use the same processors; but not for long, so that a payroll hides nothing.
 *
 * @param isPosting tells if a payroll is being posted
 */
export async function verifyNewest(
  verifier: BooksVerifier,
  { signal }: Stop,
  isPosting: () => Promise<boolean> = () => Promise.resolve(false),
): Promise<void> {
  const { db, services } = verifier;
  const oldest = services.clock.now().getTime() - LIMITS.verify.newestAtLeastEveryMs;
  const last = await lastRunAt(db);
  const isRecent = last !== null && last.getTime() > oldest;
  if (isRecent && (await isPosting())) return;
  await verifyBooks(verifier, { extent: 'newest', signal });
}

/**
 * On an admin's request: verifies everything. If a run of the newest part is in progress, this
 * waits for it. A run of everything that is in progress is enough if it began in this month.
 *
 * @param wait waits before the next attempt
 */
export async function verifyWhole(
  verifier: BooksVerifier,
  { signal }: Stop,
  wait: () => Promise<unknown> = () => sleep(LIMITS.verify.retryMs, undefined, { signal }),
): Promise<void> {
  while ((await verifyBooks(verifier, { extent: 'whole', signal })) === null) {
    if (waiting.has(verifier) || (await isWholeInProgress(verifier))) return;
    waiting.add(verifier);
    try {
      await wait();
    } finally {
      waiting.delete(verifier);
    }
  }
}

/** Verifiers for which a request waits. It does what a second request asks for, which then takes no place among the jobs. */
const waiting = new WeakSet<BooksVerifier>();

/**
 * True while a run of everything is in progress that counts for each month that is over. To close a month, everything has
 * to be verified after its end, so a run that began before midnight of that day does not count.
 */
async function isWholeInProgress({ db, services }: BooksVerifier): Promise<boolean> {
  const running = await runInProgress(db);
  if (running?.extent !== 'all') return false;
  const { timeZone } = await readSettings(db);
  return areInOneMonth(timeZone, running.startedAt, services.clock.now());
}

/** @param timeZone IANA name */
export function areInOneMonth(timeZone: string, one: Date, other: Date): boolean {
  return dayIn(timeZone, one).slice(0, 7) === dayIn(timeZone, other).slice(0, 7);
}

/**
 * Every hour: verifies everything once in the company's night. If no server ran in the night for
 * two days, it verifies at any hour.
 */
export async function verifyNightly(verifier: BooksVerifier, { signal }: Stop): Promise<void> {
  const { db, services } = verifier;
  const now = services.clock.now();
  const last = await lastWholeAt(db);
  const { timeZone } = await readSettings(db);
  if (isWholeDue({ now, last, timeZone })) await verifyBooks(verifier, { extent: 'whole', signal });
}

/** @param timeZone IANA name */
export function isWholeDue({
  now,
  last,
  timeZone,
}: {
  now: Date;
  last: Date | null;
  timeZone: string;
}): boolean {
  const { nightHours, wholeEveryMs, wholeAtLeastEveryMs } = LIMITS.verify;
  const sinceMs = last === null ? Number.POSITIVE_INFINITY : now.getTime() - last.getTime();
  if (sinceMs >= wholeAtLeastEveryMs) return true;
  const hour = hourIn(now, timeZone);
  return sinceMs >= wholeEveryMs && hour >= nightHours.from && hour < nightHours.before;
}

/** Hour of the day, 0 to 23. */
function hourIn(now: Date, timeZone: string): number {
  const format = new Intl.DateTimeFormat('en-US', { timeZone, hour: 'numeric', hourCycle: 'h23' });
  return Number(format.format(now));
}
