import { application } from '#contract/things/application.ts';
import type { DecidedAct } from '#contract/things/thing.ts';
import type { Tx } from '#server/db/tx.ts';
import { checkNotOwn } from '#server/lib/actor.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { AppError, invariant } from '#server/lib/errors.ts';
import { checkStatus } from '#server/modules/journal/index.ts';
import type { ApplicationRow } from './application/history.ts';
import { latestApplication } from './latest-application.ts';

/**
 * Locks a person until the transaction ends: the first lock of every change to what is theirs, so
 * that of two concurrent changes the second sees what the first did.
 *
 * @returns when their account was closed; null while it is open
 */
export async function lockPerson(tx: Tx, userId: string): Promise<{ deactivatedAt: Date | null }> {
  const person = await tx
    .selectFrom('appUser')
    .select('deactivatedAt')
    .where('id', '=', userId)
    .forNoKeyUpdate()
    .executeTakeFirst();
  return invariant(person, `no such person: ${userId}`);
}

/**
 * Locks the person's latest application for a change of its owner's.
 *
 * @throws {AppError} `application_not_found`, `application_wrong_status`
 */
export async function lockOwnApplication(
  tx: Tx,
  userId: string,
  action: DecidedAct<typeof application>,
): Promise<ApplicationRow> {
  await lockPerson(tx, userId);
  const row = await latestApplication(tx, userId).selectAll().forNoKeyUpdate().executeTakeFirst();
  if (row === undefined) throw new AppError('application_not_found');
  await checkStatus(tx, application, action, row);
  return row;
}

/**
 * Locks an application for an admin's decision, made on what they saw as `version`.
 *
 * @throws {AppError} `application_not_found`, also once it is destroyed; `own_request`,
 *   `application_wrong_status`, `application_stale`
 */
export async function lockForDecision(
  tx: Tx,
  by: CommandContext,
  target: { applicationId: string; version: number },
  action: DecidedAct<typeof application>,
): Promise<ApplicationRow> {
  const row = await tx
    .selectFrom('kycApplication')
    .selectAll()
    .where('id', '=', target.applicationId)
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (row === undefined || row.destroyedAt !== null) throw new AppError('application_not_found');
  checkNotOwn(by, row.userId);
  await checkStatus(tx, application, action, row);
  checkVersion(row, target.version);
  return row;
}

/** An application as its owner had it on screen. */
export interface SeenApplication {
  id: string;
  version: number;
}

/**
 * Check that the owner's application still is the one they saw.
 *
 * @throws {AppError} `application_not_found` where they saw another one, or another person's;
 *   `application_stale`
 */
export function checkSeen(row: ApplicationRow, seen: SeenApplication): void {
  if (row.id !== seen.id) throw new AppError('application_not_found');
  checkVersion(row, seen.version);
}

/** @throws {AppError} `application_stale` */
export function checkVersion(row: ApplicationRow, version: number): void {
  if (row.version !== version) throw new AppError('application_stale');
}
