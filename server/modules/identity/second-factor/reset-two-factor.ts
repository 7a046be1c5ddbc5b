import { person } from '#contract/things/person.ts';
import type { Tx } from '#server/db/tx.ts';
import type { AuditContext, CommandContext } from '#server/lib/actor.ts';
import { adviceTo, journal, record } from '#server/modules/journal/index.ts';
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

/**
 * Removes the second factor that a thief may have set up at or after a time, or the recovery codes alone where only
 * those are as young; a factor from before stays with its owner. An admin's factor stays too, because who reads their mail
 * could turn it off by this: other admins reset it. The person's row is locked already.
 */
export async function removeSecondFactorSince(
  tx: Tx,
  by: AuditContext,
  { userId, since, at }: { userId: string; since: Date; at: Date },
): Promise<void> {
  const owner = await tx
    .selectFrom('appUser')
    .select(['role', 'isAlsoEmployee'])
    .where('id', '=', userId)
    .executeTakeFirstOrThrow();
  const removed = await tx
    .deleteFrom('authTwoFactor')
    .where('userId', '=', userId)
    .where((one) =>
      one.or([
        one('verifiedAt', 'is', null),
        ...(owner.role === 'admin' ? [] : [one('verifiedAt', '>=', since)]),
      ]),
    )
    .returning('verifiedAt')
    .executeTakeFirst();
  if (removed !== undefined && removed.verifiedAt !== null) {
    await tx
      .updateTable('appUser')
      .set({ twoFactorEnabled: false, updatedAt: at })
      .where('id', '=', userId)
      .execute();
    record(tx, by, 'two_factor.turned_off', { id: userId, at, words: { advice: adviceTo(owner) } });
  }
  const { numUpdatedRows } = await tx
    .updateTable('authTwoFactor')
    .set({ backupCodes: '[]' })
    .where('userId', '=', userId)
    .where('backupCodes', '!=', '[]')
    .where((one) =>
      one.exists(
        one
          .selectFrom('auditEvent')
          .select('auditEvent.id')
          .where('personId', '=', userId)
          .where('action', '=', 'two_factor.codes_renewed')
          .where('auditEvent.at', '>=', since),
      ),
    )
    .executeTakeFirst();
  if (numUpdatedRows > 0n) record(tx, by, 'two_factor.codes_ended', { id: userId, at });
}
