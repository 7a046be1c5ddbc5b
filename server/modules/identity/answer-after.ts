import { addressKey } from './attempts.ts';
import type { Call, Identity } from './identity.ts';

/**
 * Longer than what is done for a known address takes, so that the time of an answer does not reveal one.
 * Without the hash of a password, and with one.
 */
export const ANSWER_AFTER_MS = 150;
export const ANSWER_WITH_HASH_AFTER_MS = 300;

/** Runs `work`, and answers no sooner than after so many milliseconds; a refusal takes as long. */
export async function answerAfter<T>(
  { wait }: Pick<Identity, 'wait'>,
  ms: number,
  work: () => Promise<T>,
): Promise<T> {
  const waited = wait(ms);
  try {
    return await work();
  } finally {
    await waited;
  }
}

/**
 * Runs what a visitor requests by an email address, which sends mail at most. The time of the answer does not reveal an
 * account.
 *
 * @throws {AppError} `too_many_requests`
 */
export async function answerByMail(
  identity: Identity,
  { origin }: Pick<Call, 'origin'>,
  email: string,
  work: () => Promise<void>,
): Promise<void> {
  await identity.attempts.spend('resetFromAddress', addressKey(origin.ipAddress));
  await identity.attempts.spend('resetOfAccount', email);
  await answerAfter(identity, ANSWER_AFTER_MS, work);
}
