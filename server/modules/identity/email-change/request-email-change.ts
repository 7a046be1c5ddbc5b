import { CONFIRMATION_LINK_LIFE_HOURS } from '#contract/limits.ts';
import { lockUser } from '#server/db/lock-user.ts';
import type { Tx } from '#server/db/tx.ts';
import { withTx } from '#server/db/tx.ts';
import { enqueueMail } from '#server/events/outbox.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { AppError } from '#server/lib/errors.ts';
import { newId } from '#server/lib/ids.ts';
import { record } from '#server/modules/journal/index.ts';
import { ANSWER_AFTER_MS, answerAfter } from '../answer-after.ts';
import type { Identity } from '../identity.ts';
import { mayMailAnother } from '../may-mail.ts';
import { findUserByEmail } from '../queries.ts';

/**
 * Asks for another address to sign in with: nothing changes before the link that is mailed there is
 * opened. The owner is notified at the present address immediately. The answer, its time and what the
 * screens show are the same where another person has that address; that person gets a mail instead.
 * Asking again replaces what was asked for before.
 *
 * @throws {AppError} `invalid_request` for the present address, `too_many_requests`
 */
export async function requestEmailChange(
  identity: Identity,
  by: CommandContext,
  email: string,
): Promise<void> {
  const { db, services, attempts } = identity;
  const userId = by.actor.id;
  await attempts.spend('changeOfEmail', userId);
  await answerAfter(identity, ANSWER_AFTER_MS, async () => {
    const owner = await findUserByEmail(db, email);
    if (owner?.id === userId) {
      throw new AppError('invalid_request', {}, [
        { path: 'email', message: 'You already sign in with this address' },
      ]);
    }
    const mayMailOwner = owner !== undefined && (await mayMailAnother(identity, owner.id));
    await withTx(db, async (tx) => {
      await lockUser(tx, userId);
      const at = services.clock.now();
      await cancelEmailChanges(tx, userId, at);
      const id = await writeRequest(tx, { userId, email, at });
      if (owner === undefined) {
        enqueueMail(tx, { kind: 'confirm-new-email', userId, payload: { emailChangeId: id } });
      } else if (mayMailOwner) {
        enqueueMail(tx, { kind: 'account-exists', userId: owner.id });
      }
      record(tx, by, 'email.change_requested', { id: userId, at });
    });
  });
}

async function writeRequest(
  tx: Tx,
  { userId, email, at }: { userId: string; email: string; at: Date },
): Promise<string> {
  const id = newId(at.getTime());
  const { email: formerEmail } = await tx
    .selectFrom('appUser')
    .select('email')
    .where('id', '=', userId)
    .executeTakeFirstOrThrow();
  const expiresAt = new Date(at.getTime() + CONFIRMATION_LINK_LIFE_HOURS * 3_600_000);
  await tx
    .insertInto('emailChange')
    .values({ id, userId, formerEmail, email, requestedAt: at, expiresAt })
    .execute();
  return id;
}

/**
 * Cancels what a person's sessions asked for and nobody confirmed: its link works no more.
 *
 * @returns how many were cancelled; one that has expired by itself does not count
 */
export async function cancelEmailChanges(tx: Tx, userId: string, at: Date): Promise<number> {
  const cancelled = await tx
    .updateTable('emailChange')
    .set({ cancelledAt: at })
    .where('userId', '=', userId)
    .where('confirmedAt', 'is', null)
    .where('cancelledAt', 'is', null)
    .returning('expiresAt')
    .execute();
  return cancelled.filter(({ expiresAt }) => expiresAt > at).length;
}
