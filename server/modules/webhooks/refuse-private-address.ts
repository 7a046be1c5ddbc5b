import { setTimeout as sleep } from 'node:timers/promises';
import { PRIVATE_ADDRESS_PROBLEM } from '#contract/webhooks.ts';
import { AppError } from '#server/lib/errors.ts';
import { LIMITS } from '#server/lib/limits.ts';
import { addressesOf, isPublicAddress, resolveHost } from './public-address.ts';
import type { ResolveHost } from './public-address.ts';

/**
 * Refuses an address that is already known to be private when it is entered. Sending checks again,
 * each time (post.ts). So a name that does not resolve yet, or not in time, is accepted.
 *
 * @throws {AppError} `invalid_request` about `url`
 */
export async function refusePrivateAddress(
  url: string,
  {
    resolve = resolveHost,
    withinMs = LIMITS.webhooks.resolveWithinMs,
  }: { resolve?: ResolveHost; withinMs?: number } = {},
): Promise<void> {
  const over = new AbortController();
  const addresses = await Promise.race([
    addressesOf(url, resolve).catch(() => []),
    sleep(withinMs, [], { signal: over.signal }).catch(() => []),
  ]);
  over.abort();
  if (addresses.every(({ address }) => isPublicAddress(address))) return;
  throw new AppError('invalid_request', {}, [{ path: 'url', message: PRIVATE_ADDRESS_PROBLEM }]);
}
