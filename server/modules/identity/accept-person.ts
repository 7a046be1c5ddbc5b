import type { Tx } from '#server/db/tx.ts';
import { publish } from '#server/events/outbox.ts';
import { checkNotOwn } from '#server/lib/actor.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { recordAudit } from '#server/modules/audit/index.ts';
import { notify } from '#server/modules/notifications/index.ts';
import type { Services } from '#server/services.ts';
import { lockPerson } from './lock-person.ts';

/**
 * Accepts a person who signed up: payroll pays them from now on.
 *
 * @throws {AppError} as `lockPerson`
 */
export async function acceptApplicant(
  tx: Tx,
  services: Pick<Services, 'clock'>,
  by: CommandContext,
  id: string,
): Promise<void> {
  await lockPerson(tx, by, { id, action: 'accept' });
  await acceptPerson(tx, services, by, id);
}

/**
 * The change itself, for whatever else accepts a person: nothing is done for one who was accepted
 * before.
 *
 * @throws {AppError} `own_request`: nobody accepts themselves
 */
export async function acceptPerson(
  tx: Tx,
  { clock }: Pick<Services, 'clock'>,
  by: CommandContext,
  id: string,
): Promise<void> {
  checkNotOwn(by, id);
  const at = clock.now();
  const { numUpdatedRows } = await tx
    .updateTable('appUser')
    .set({ acceptedAt: at, updatedAt: at })
    .where('id', '=', id)
    .where('acceptedAt', 'is', null)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) return;
  recordAudit(tx, {
    by,
    action: 'person.accepted',
    subjectType: 'user',
    subjectId: id,
    personId: id,
  });
  notify(tx, id, {
    kind: 'welcome',
    message: 'You were accepted as an employee. Payroll includes you from now on.',
    relatedId: id,
    at,
  });
  publish(tx, { topic: 'people', userId: null });
}
