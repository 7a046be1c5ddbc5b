import { sql } from 'kysely';
import { z } from 'zod';
import type { Books } from '#contract/api.ts';
import type { Reader } from '#server/db/tx.ts';
import { readSettings } from '#server/modules/settings/index.ts';
import { unsoundRuns } from '#server/modules/verification/index.ts';

type Run = NonNullable<Books['last']>;

const storedProblems = z.array(z.object({ check: z.string(), id: z.string(), what: z.string() }));

/**
 * False from a run that found a problem until a run of everything finds none: a problem that the
 * newest part no longer shows may still exist.
 */
export async function areBooksSound(reader: Reader): Promise<boolean> {
  const { rows } = await sql<{ isUnsound: boolean }>`
    SELECT EXISTS (${unsoundRuns}) AS is_unsound`.execute(reader);
  return rows[0]?.isUnsound !== true;
}

export async function getBooks(reader: Reader): Promise<Books> {
  const { rows: unsound } = await sql<{ problems: unknown }>`
    SELECT problems FROM (${unsoundRuns}) AS unsound ORDER BY id DESC LIMIT 1`.execute(reader);
  const { stopPayoutsWhenUnsound, payoutsStoppedAt } = await readSettings(reader);
  return {
    areSound: unsound.length === 0,
    verifying: (await runInProgress(reader))?.extent ?? null,
    last: await lastRun(reader, ENDED),
    lastWhole: await lastWholeRun(reader),
    problems: unsound.flatMap(({ problems }) => storedProblems.parse(problems)),
    stopPayoutsWhenUnsound,
    payoutsStoppedAt: payoutsStoppedAt?.toISOString() ?? null,
  };
}

/** A run that has not ended. */
interface Running {
  extent: NonNullable<Books['verifying']>;
  startedAt: Date;
}

/**
 * The run in progress; null when there is none. A run that was lost with its process counts until the next one, which
 * begins within minutes.
 */
export async function runInProgress(reader: Reader): Promise<Running | null> {
  const running = await reader
    .selectFrom('verificationRun')
    .select(['afterHeight', 'startedAt'])
    .where('finishedAt', 'is', null)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (running === undefined) return null;
  return { extent: running.afterHeight === null ? 'all' : 'newest', startedAt: running.startedAt };
}

/** The last run of everything that ended, sound or not; null when there was none. */
export function lastWholeRun(reader: Reader): Promise<Run | null> {
  return lastRun(reader, sql`finished_at IS NOT NULL AND after_height IS NULL`);
}

/** Start of the last run of everything, sound or not; null when there was none. */
export async function lastWholeAt(reader: Reader): Promise<Date | null> {
  return startOf(await lastWholeRun(reader));
}

/** Start of the last run that ended, of any extent, sound or not; null when there was none. */
export async function lastRunAt(reader: Reader): Promise<Date | null> {
  return startOf(await lastRun(reader, ENDED));
}

function startOf(run: Run | null): Date | null {
  return run === null ? null : new Date(run.startedAt);
}

const ENDED = sql`finished_at IS NOT NULL`;

async function lastRun(reader: Reader, condition: ReturnType<typeof sql>): Promise<Run | null> {
  const { rows } = await sql<{ startedAt: Date; finishedAt: Date; isSound: boolean }>`
    SELECT started_at, finished_at, is_sound FROM verification_run
     WHERE ${condition} ORDER BY id DESC LIMIT 1`.execute(reader);
  const [row] = rows;
  if (row === undefined) return null;
  return {
    startedAt: row.startedAt.toISOString(),
    durationMs: row.finishedAt.getTime() - row.startedAt.getTime(),
    isSound: row.isSound,
  };
}
