import type { RouteReply } from '#contract/api.ts';
import type { Reader } from '#server/db/tx.ts';
import { AppError } from '#server/lib/errors.ts';
import type { Identity } from '#server/modules/identity/index.ts';
import { readSettings } from '#server/modules/settings/index.ts';
import type { Services } from '#server/services.ts';
import { checkPayer } from './check-payer.ts';

/** Facts that decide whether a person can be paid. */
interface Standing {
  isEmployee: boolean;
  acceptedAt: Date | null;
  deactivatedAt: Date | null;
  payoutsFrozenAt: Date | null;
}

/**
 * True if a colleague can be paid: an employee who was accepted, is active, and whose payouts are not
 * frozen (money that arrives there might not reach its owner).
 */
export function isPayable(person: Standing): boolean {
  return (
    person.isEmployee &&
    person.acceptedAt !== null &&
    person.deactivatedAt === null &&
    person.payoutsFrozenAt === null
  );
}

/**
 * The colleague with exactly this e-mail address. Whoever cannot be paid is not found, whatever the
 * reason, by the same statement and with the same answer: nothing is revealed about who is here.
 * Every question counts, also one that finds somebody.
 *
 * @throws {AppError} `recipient_not_found`, `own_payment`, `too_many_requests`, and as `checkPayer`
 */
export async function findRecipient(
  reader: Reader,
  { clock, attempts }: Pick<Services, 'clock'> & Pick<Identity, 'attempts'>,
  { userId, email }: { userId: string; email: string },
): Promise<RouteReply<'findRecipient'>> {
  await attempts.spend('recipientOfAccount', userId);
  await checkPayer(reader, await readSettings(reader), { userId, now: clock.now() });
  const found = await reader
    .selectFrom('appUser')
    .leftJoin('wallet', (join) =>
      join
        .onRef('wallet.userId', '=', 'appUser.id')
        .on('wallet.type', '=', 'salary')
        .on('wallet.closedAt', 'is', null),
    )
    .select(['appUser.id', 'name', 'email', 'isEmployee', 'acceptedAt', 'deactivatedAt'])
    .select(['payoutsFrozenAt', 'wallet.id as walletId'])
    .where('email', '=', email)
    .executeTakeFirst();
  if (found?.id === userId) throw new AppError('own_payment');
  if (found === undefined || found.walletId === null || !isPayable(found)) {
    throw new AppError('recipient_not_found');
  }
  return { id: found.id, name: found.name, email: found.email };
}
