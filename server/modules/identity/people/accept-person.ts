import { person } from '#contract/things/person.ts';
import type { Tx } from '#server/db/tx.ts';
import { checkNotOwn } from '#server/lib/actor.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { journal } from '#server/modules/journal/index.ts';
import type { Services } from '#server/services.ts';
import { lockPerson } from '../lock-person.ts';

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
  await lockPerson(tx, by, { id, act: 'accept' });
  await acceptPerson(tx, services, by, id, { isSilent: false });
}

/** Sentences that a person is notified with, by whichever act accepts them. */
export const ACCEPTED_MESSAGE = person.acts.accept.toOwner.message;

/**
 * The change itself, for another act that accepts a person, who is notified of that act. Nothing is done
 * for a person who was accepted before.
 *
 * @returns whether the person is accepted now and was not before
 * @throws {AppError} `own_request`: nobody accepts themselves
 */
export async function acceptPerson(
  tx: Tx,
  { clock }: Pick<Services, 'clock'>,
  by: CommandContext,
  id: string,
  { isSilent }: { isSilent: boolean } = { isSilent: true },
): Promise<boolean> {
  checkNotOwn(by, id);
  const at = clock.now();
  const { numUpdatedRows } = await tx
    .updateTable('appUser')
    .set({ acceptedAt: at, updatedAt: at })
    .where('id', '=', id)
    .where('acceptedAt', 'is', null)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) return false;
  journal(tx, by, person, 'accept', { id, at, isSilent });
  return true;
}
