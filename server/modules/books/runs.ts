import type { PersonalKind } from '#contract/notification-kinds.ts';
import { sql } from 'kysely';
import type { Reader, Tx } from '#server/db/tx.ts';
import { publish } from '#server/events/outbox.ts';
import { LIMITS } from '#server/lib/limits.ts';
import { record } from '#server/modules/journal/index.ts';
import type { Problem, Scope, Verification } from '#server/modules/ledger/index.ts';
import { notify } from '#server/modules/notifications/index.ts';
import { lockSettings, readSettings, updateSettings } from '#server/modules/settings/index.ts';
import type { CompanySettings } from '#server/modules/settings/index.ts';
import { newestBooksRecord } from '#server/modules/verification/index.ts';
import { areBooksSound } from './queries.ts';

/** Height at which a verification of the newest part begins; null before the first sound run. */
export async function lastSoundHeight(reader: Reader): Promise<bigint | null> {
  const run = await reader
    .selectFrom('verificationRun')
    .select('headHeight')
    .where('isSound', '=', true)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return run?.headHeight ?? null;
}

/** Only one run is in progress, so any other unfinished run was lost with its process. */
export async function beginRun(tx: Tx, now: Date, { afterHeight }: Scope): Promise<bigint> {
  await tx.deleteFrom('verificationRun').where('finishedAt', 'is', null).execute();
  const { id } = await tx
    .insertInto('verificationRun')
    .values({ startedAt: now, afterHeight })
    .returning('id')
    .executeTakeFirstOrThrow();
  publish(tx, { topic: 'books', userId: null });
  return id;
}

interface EndedRun {
  id: bigint;
  scope: Scope;
  verification: Verification;
  now: Date;
}

/**
 * Stores the result of a run, and stops or resumes payouts accordingly. A problem is announced unless both the runs
 * and their records already say so, and payouts stop whenever they should be stopped and are not: the server's role
 * can insert a run or a record, and neither of them silences a real problem.
 */
export async function endRun(tx: Tx, { id, scope, verification, now }: EndedRun): Promise<void> {
  const { ok, problems, head } = verification;
  // The lock is taken before the check if payouts should stop, so that an admin's choice is seen.
  await lockSettings(tx);
  const settings = await readSettings(tx);
  const areSound = await areBooksSound(tx);
  const { rows } = await newestBooksRecord.execute(tx);
  const areRecordedSound = rows[0]?.action !== 'books.found_unsound';
  await tx
    .updateTable('verificationRun')
    .set({
      finishedAt: now,
      isSound: ok,
      headHeight: head?.height ?? null,
      problems: JSON.stringify(problems.slice(0, LIMITS.verify.keptProblems)),
    })
    .where('id', '=', id)
    .execute();
  const mustStop = settings.stopPayoutsWhenUnsound && settings.payoutsStoppedAt === null;
  if (!ok && (areSound || areRecordedSound || mustStop)) {
    await stopPayouts(tx, settings, problems, now);
  }
  if (ok && scope.afterHeight === null && !(areSound && areRecordedSound)) {
    await letPayoutsGoOn(tx, settings, now);
  }
  publish(tx, { topic: 'books', userId: null });
}

async function stopPayouts(
  tx: Tx,
  { stopPayoutsWhenUnsound, payoutsStoppedAt }: CompanySettings,
  problems: readonly Problem[],
  now: Date,
): Promise<void> {
  const checks = [...new Set(problems.map(({ check }) => check))];
  record(tx, { actor: 'system' }, 'books.found_unsound', {
    id: null,
    details: { checks, problems: problems.length },
  });
  if (stopPayoutsWhenUnsound && payoutsStoppedAt === null) await setStopped(tx, now, now);
  const consequence = stopPayoutsWhenUnsound
    ? 'Payouts are stopped until a full verification finds no problem.'
    : 'Payouts continue, as your settings say.';
  await notifyEveryAdmin(tx, {
    kind: 'books-not-sound',
    message: `A verification of the books found a problem (${checks.join(', ')}). ${consequence} See System Health on the dashboard for what was found.`,
    at: now,
  });
}

async function letPayoutsGoOn(
  tx: Tx,
  { payoutsStoppedAt }: CompanySettings,
  now: Date,
): Promise<void> {
  record(tx, { actor: 'system' }, 'books.found_sound', { id: null });
  if (payoutsStoppedAt !== null) await setStopped(tx, null, now);
  const consequence = payoutsStoppedAt === null ? '' : ' Payouts go on.';
  await notifyEveryAdmin(tx, {
    kind: 'books-sound-again',
    message: `All of the books were verified, and no problem was found.${consequence}`,
    at: now,
  });
}

function setStopped(tx: Tx, payoutsStoppedAt: Date | null, now: Date): Promise<unknown> {
  // Open screens then offer no payout, or offer them again.
  publish(tx, { topic: 'settings', userId: null });
  return updateSettings(
    tx,
    { clock: { now: () => now } },
    { actor: 'system' },
    { payoutsStoppedAt },
  );
}

/** Also by mail, because this cannot wait until a person looks at the screen. */
async function notifyEveryAdmin(
  tx: Tx,
  message: { kind: PersonalKind; message: string; at: Date },
): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    SELECT id FROM app_user WHERE role = 'admin' AND deactivated_at IS NULL`.execute(tx);
  for (const { id } of rows) notify(tx, id, message);
}
