import type { RouteReply } from '#contract/api.ts';
import { isRoutingNumber } from '#contract/account-formats.ts';
import type { Reader } from '#server/db/tx.ts';
import { KNOWN_BANKS } from './known-banks.ts';

/** Number of verified accounts that are asked for the bank's name. */
const SAMPLE = 50;

/**
 * Result of the check digit, and the bank's name: from the list of well-known ones, or as
 * most of the verified accounts there have it. Null when nobody knows it.
 */
export async function lookUpRoutingNumber(
  reader: Reader,
  typed: string,
): Promise<RouteReply<'lookUpRoutingNumber'>> {
  const routingNumber = typed.replaceAll(/[\s-]/g, '');
  if (!isRoutingNumber(routingNumber)) return { isValid: false, bankName: null };
  const known = KNOWN_BANKS.get(routingNumber);
  if (known !== undefined) return { isValid: true, bankName: known };
  const learnt = await reader
    .selectFrom((from) =>
      from
        .selectFrom('bankAccount')
        .select('bankName')
        .where('routingNumber', '=', routingNumber)
        .where('status', '=', 'verified')
        .limit(SAMPLE)
        .as('sample'),
    )
    .select('bankName')
    .groupBy('bankName')
    .orderBy((eb) => eb.fn.countAll(), 'desc')
    .orderBy('bankName')
    .limit(1)
    .executeTakeFirst();
  return { isValid: true, bankName: learnt?.bankName ?? null };
}
