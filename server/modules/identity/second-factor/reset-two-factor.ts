import { person } from '#contract/things/person.ts';
import type { Tx } from '#server/db/tx.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { AppError } from '#server/lib/errors.ts';
import { journal } from '#server/modules/journal/index.ts';
import type { Services } from '#server/services.ts';
import { endSessionsOf } from '../sessions/end-sessions.ts';
import { lockPerson } from '../lock-person.ts';
import { waitAsSecondPerson } from '../second-people.ts';

/**
 * Turns off the two-factor of a person who lost their phone and the recovery codes: the password lets
 * them in again, and they set it up again. Their sessions end.
 *
 * @throws {AppError} as `lockPerson`, and `two_factor_is_off`
 */
export async function resetTwoFactor(
  tx: Tx,
  { clock }: Pick<Services, 'clock'>,
  by: CommandContext,
  { id, reason }: { id: string; reason: string },
): Promise<void> {
  await lockPerson(tx, by, { id, act: 'resetTwoFactor' });
  const at = clock.now();
  const { numUpdatedRows } = await tx
    .updateTable('appUser')
    .set({ twoFactorEnabled: false, updatedAt: at })
    .where('id', '=', id)
    .where('twoFactorEnabled', '=', true)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) throw new AppError('two_factor_is_off');
  await tx.deleteFrom('authTwoFactor').where('userId', '=', id).execute();
  await waitAsSecondPerson(tx, { userId: id, since: at, causes: [by.actor.id] });
  await endSessionsOf(tx, id);
  journal(tx, by, person, 'resetTwoFactor', { id, at, details: { reason }, words: { reason } });
}
