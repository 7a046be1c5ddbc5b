import type { LookupAddress } from 'node:dns';
import { request as requestPlain } from 'node:http';
import { request as requestTls } from 'node:https';
import type { LookupFunction } from 'node:net';
import { LIMITS } from '#server/lib/limits.ts';
import { shortError } from '#server/lib/short-error.ts';
import { addressesOf, isPublicAddress, resolveHost } from './public-address.ts';
import type { ResolveHost } from './public-address.ts';

/** How an attempt ended: what the receiver answered, or why there is no answer. */
export type Answer = { status: number } | { problem: string };

export interface Post {
  url: string;
  headers: Readonly<Record<string, string>>;
  body: string;
}

/** What the network is, so that tests can be another one. */
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
 * Posts a message and answers how that ended; never throws.
 *
 * The name is resolved once, and the connection goes to the very addresses that were checked: a name
 * that means something else a moment later changes nothing. A redirect is an answer like any other and
 * is not followed. Only the status is read, so that neither the size nor the pace of what follows it
 * matters; all of it has to be there in time.
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

/** @throws Error where any address of the host is not allowed, or it has none */
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

/** Answers the status; rejects where there is none. */
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
    // A connection of its own: one that is kept open would go on past what was checked.
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

/** Of whatever name: the addresses that were checked. */
function lookupOf(addresses: readonly LookupAddress[]): LookupFunction {
  return (_host, { all }, done) => {
    const [first] = addresses;
    if (all === true) done(null, [...addresses]);
    else done(null, first?.address ?? '', first?.family);
  };
}

/** Rejects once the time is over. */
function ending(signal: AbortSignal): Promise<never> {
  const { promise, reject } = Promise.withResolvers<never>();
  signal.addEventListener('abort', () => reject(new Error(TOO_SLOW)), { once: true });
  // When it is over first, nobody waits for this any more.
  promise.catch(() => undefined);
  return promise;
}
