import type { LookupAddress } from 'node:dns';
import { request as requestPlain } from 'node:http';
import { request as requestTls } from 'node:https';
import type { LookupFunction } from 'node:net';
import { LIMITS } from '#server/lib/limits.ts';
import { shortError } from '#server/lib/short-error.ts';
import { addressesOf, isPublicAddress, resolveHost } from './public-address.ts';
import type { ResolveHost } from './public-address.ts';

/** Result of an attempt: the receiver's status, or the reason why there is none. */
export type Answer = { status: number } | { problem: string };

export interface Post {
  url: string;
  headers: Readonly<Record<string, string>>;
  body: string;
}

/** Access to the network, so that tests can replace it. */
export interface Network {
  resolve: ResolveHost;
  isAllowed: (address: string) => boolean;
  timeoutMs: number;
}

const INTERNET: Network = {
  resolve: resolveHost,
  isAllowed: isPublicAddress,
  timeoutMs: LIMITS.webhooks.answerWithinMs,
};

const NOT_ALLOWED = 'The address is not on the public internet';
const TOO_SLOW = 'No answer in time';

/**
 * Posts a message and returns the result; never throws.
 *
 * The name is resolved once, and the connection goes to exactly the addresses that were checked. So
 * it does not matter if the name resolves differently a moment later. A redirect is a status like
 * any other and is not followed. Only the status is read, so neither the size nor the speed of the
 * rest matters. All of it must arrive in time.
 */
export async function post(message: Post, network = INTERNET): Promise<Answer> {
  const signal = AbortSignal.timeout(network.timeoutMs);
  try {
    const addresses = await Promise.race([allowedAddresses(message.url, network), ending(signal)]);
    return { status: await send(message, addresses, signal) };
  } catch (error) {
    if (signal.aborted) return { problem: TOO_SLOW };
    return { problem: shortError(error instanceof Error ? error.message : String(error)) };
  }
}

/** @throws Error if any address of the host is not allowed, or it has none */
async function allowedAddresses(
  url: string,
  { resolve, isAllowed }: Network,
): Promise<readonly LookupAddress[]> {
  const addresses = await addressesOf(url, resolve);
  if (addresses.length === 0 || !addresses.every(({ address }) => isAllowed(address))) {
    throw new Error(NOT_ALLOWED);
  }
  return addresses;
}

/** Resolves with the status; rejects if there is none. */
function send(
  { url, headers, body }: Post,
  addresses: readonly LookupAddress[],
  signal: AbortSignal,
): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const request = (url.startsWith('http:') ? requestPlain : requestTls)(url, {
    method: 'POST',
    headers: {
      ...headers,
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
      'user-agent': 'Purser-Webhooks/1',
    },
    // A new connection, because one that is kept open would skip the check of its address.
    agent: false,
    lookup: lookupOf(addresses),
    signal,
  });
  request.on('response', (response) => {
    resolve(response.statusCode ?? 0);
    response.destroy();
  });
  request.on('error', reject);
  request.end(body);
  return promise;
}

/** Returns the checked addresses for any name. */
function lookupOf(addresses: readonly LookupAddress[]): LookupFunction {
  return (_host, { all }, done) => {
    const [first] = addresses;
    if (all === true) done(null, [...addresses]);
    else done(null, first?.address ?? '', first?.family);
  };
}

/** Rejects when the time is over. */
function ending(signal: AbortSignal): Promise<never> {
  const { promise, reject } = Promise.withResolvers<never>();
  signal.addEventListener('abort', () => reject(new Error(TOO_SLOW)), { once: true });
  // Avoids an unhandled rejection when the attempt has already ended.
  promise.catch(() => undefined);
  return promise;
}
