import type { Tx } from '#server/db/tx.ts';
import { publish } from '#server/events/outbox.ts';
import type { AuditContext, CommandContext } from '#server/lib/actor.ts';
import { AppError } from '#server/lib/errors.ts';
import { recordAudit } from '#server/modules/audit/index.ts';
import { notify, notifyAdmins } from '#server/modules/notifications/index.ts';
import type { Services } from '#server/services.ts';
import { cancelEmailChanges } from '../email-change/request-email-change.ts';

type Clocked = Pick<Services, 'clock'>;

/**
 * "This was not me": no money of the acting person leaves from now on, until an admin has looked and
 * released it. Repeating it changes nothing.
 */
export async function freezePayouts(tx: Tx, { clock }: Clocked, by: CommandContext): Promise<void> {
  const userId = by.actor.id;
  const at = clock.now();
  await cancelEmailChanges(tx, userId, at);
  const { numUpdatedRows } = await tx
    .updateTable('appUser')
    .set({ payoutsFrozenAt: at, updatedAt: at })
    .where('id', '=', userId)
    .where('payoutsFrozenAt', 'is', null)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) return;
  recordPayouts(tx, by, { userId, action: 'payouts.frozen' });
  notifyAdmins(tx, {
    kind: 'payouts-frozen',
    message: `${by.actor.name} reported a change they did not make. Their payouts are frozen until an administrator releases them.`,
    relatedId: userId,
    at,
  });
}

/**
 * The same by an admin, of another person, with a reason.
 *
 * @throws {AppError} `own_account`, `person_not_found`, `payouts_frozen_already`
 */
export async function freezePayoutsOf(
  tx: Tx,
  { clock }: Clocked,
  by: CommandContext,
  { id, reason }: { id: string; reason: string },
): Promise<void> {
  const person = await lockFrozen(tx, by, id);
  if (person.payoutsFrozenAt !== null) throw new AppError('payouts_frozen_already');
  const at = clock.now();
  await cancelEmailChanges(tx, id, at);
  await tx
    .updateTable('appUser')
    .set({ payoutsFrozenAt: at, updatedAt: at })
    .where('id', '=', id)
    .execute();
  recordPayouts(tx, by, { userId: id, action: 'payouts.frozen', reason });
  notifyAdmins(tx, {
    kind: 'payouts-frozen',
    message: `${by.actor.name} froze the payouts of ${person.name}. Reason: ${reason}`,
    relatedId: id,
    at,
  });
}

/**
 * Lets the money of a person leave again, once an admin has looked.
 *
 * @throws {AppError} `own_account`, `person_not_found`, `payouts_not_frozen`
 */
export async function releasePayouts(
  tx: Tx,
  { clock }: Clocked,
  by: CommandContext,
  { id, reason }: { id: string; reason: string },
): Promise<void> {
  const person = await lockFrozen(tx, by, id);
  if (person.payoutsFrozenAt === null) throw new AppError('payouts_not_frozen');
  const at = clock.now();
  await tx
    .updateTable('appUser')
    .set({ payoutsFrozenAt: null, updatedAt: at })
    .where('id', '=', id)
    .execute();
  recordPayouts(tx, by, { userId: id, action: 'payouts.released', reason });
  notify(tx, id, {
    kind: 'payouts-released',
    message: 'An administrator looked at what you reported. Your payouts are released.',
    relatedId: id,
    at,
  });
}

/** Another person than the acting one, their row locked. */
async function lockFrozen(
  tx: Tx,
  by: CommandContext,
  id: string,
): Promise<{ name: string; payoutsFrozenAt: Date | null }> {
  if (id === by.actor.id) throw new AppError('own_account');
  const person = await tx
    .selectFrom('appUser')
    .select(['name', 'payoutsFrozenAt'])
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (person === undefined) throw new AppError('person_not_found');
  return person;
}

/** The record of it, without which the books are not sound. */
export function recordPayouts(
  tx: Tx,
  by: AuditContext,
  {
    userId,
    action,
    reason,
  }: {
    userId: string;
    action: 'payouts.frozen' | 'payouts.released';
    /** Where an admin gave one; who reports a change that was not theirs gives none. */
    reason?: string;
  },
): void {
  recordAudit(tx, {
    by,
    action,
    subjectType: 'user',
    subjectId: userId,
    personId: userId,
    ...(reason !== undefined && { details: { reason } }),
  });
  publish(
    tx,
    { topic: 'people', userId: null },
    // Their session and payees say whether money can leave.
    { topic: 'sessions', userId },
    { topic: 'payments', userId },
  );
}
