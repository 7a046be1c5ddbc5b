import { person } from '#contract/things/person.ts';
import type { Tx } from '#server/db/tx.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { journal } from '#server/modules/journal/index.ts';
import type { Services } from '#server/services.ts';
import { endSessionsOf } from '../sessions/end-sessions.ts';
import { lockPerson } from '../lock-person.ts';
import { waitAsSecondPerson } from '../second-people.ts';
import type { AccessChange } from '../second-people.ts';

/**
 * Turns off the two-factor of a person who lost their phone and the recovery codes: the password lets
 * them in again, and they set it up again. Their sessions end.
 *
 * @throws {AppError} as `lockPerson`
 */
export async function resetTwoFactor(
  tx: Tx,
  { clock }: Pick<Services, 'clock'>,
  by: CommandContext,
  { id, reason, causes = [by.actor.id] }: AccessChange,
): Promise<void> {
  await lockPerson(tx, by, { id, act: 'resetTwoFactor' });
  const at = clock.now();
  await tx
    .updateTable('appUser')
    .set({ twoFactorEnabled: false, updatedAt: at })
    .where('id', '=', id)
    .execute();
  await tx.deleteFrom('authTwoFactor').where('userId', '=', id).execute();
  await waitAsSecondPerson(tx, { userId: id, since: at, causes });
  await endSessionsOf(tx, id);
  journal(tx, by, person, 'resetTwoFactor', { id, at, details: { reason }, words: { reason } });
}
