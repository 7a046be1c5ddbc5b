import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { PayrollBatch, PayrollPreview } from '#contract/api.ts';
import { POSITION_COOKIE, POSITION_HEADER } from '#contract/identity.ts';
import type { Random } from '#scripts/demo/random.ts';
import type { Journal } from './journal.ts';

/** Longer than the server's own time limits. */
const ANSWER_WITHIN_MS = 30_000;
const RETRY_MS = 50;
/** Probability of a double click. */
const DOUBLE_CLICKS = 0.05;
const JSON_TYPE = { 'content-type': 'application/json' };
const TEXT_TYPE = { 'content-type': 'text/csv' };

/** A final refusal; it counts as a fault in the journal unless the request may meet it. */
export class RefusedError extends Error {
  override readonly name = 'RefusedError';
}

export interface MoneyRequest {
  cookie: string;
  path: string;
  body?: unknown;
  /** Content of a file, in place of a body: a text, or an image. */
  file?: string | Uint8Array<ArrayBuffer>;
  /** POST by default. */
  method?: 'GET' | 'POST' | 'PUT';
  /** False for an operation without a key, which is sent once at a time. GET never has one. */
  hasKey?: boolean;
  /** Codes of refusals that another person's act, or a limit, may cause. */
  mayMeet?: readonly string[];
}

/** Sends money requests as our own web app does: with a key, until there is a reply. */
export interface Client {
  /** @throws RefusedError */
  send<T>(request: MoneyRequest): Promise<T>;
}

export interface ClientOptions {
  /** Addresses of the servers; any of them may be used. */
  origins: readonly [string, ...string[]];
  random: Random;
  journal: Journal;
  /** While it loses replies, a connection ends when the reply comes, after the server's COMMIT. */
  network: { losesReplies: boolean };
  /** Ends what is repeated until there is a reply. */
  signal?: AbortSignal;
  /** True where one of the servers is of another release. */
  hasTwoReleases?: boolean;
}

export function createClient({
  origins,
  random,
  journal,
  network,
  signal,
  hasTwoReleases = false,
}: ClientOptions): Client {
  /** Newest position that each session was given, which a browser keeps in a cookie. */
  const positions = new Map<string, number>();
  const withPosition = (cookie: string) =>
    `${cookie}; ${POSITION_COOKIE}=${positions.get(cookie) ?? 0}`;
  const keepPosition = (cookie: string, { headers }: Response) => {
    const given = Number(headers.get(POSITION_HEADER) ?? 0);
    positions.set(cookie, Math.max(given, positions.get(cookie) ?? 0));
  };

  /** Sends the request to a random server, sometimes twice concurrently. */
  async function attempt(request: MoneyRequest, key: string): Promise<unknown> {
    const { path, cookie, body, file, method = 'POST', mayMeet = [] } = request;
    const { hasKey = method !== 'GET' } = request;
    const copies = hasKey && random.chance(DOUBLE_CLICKS) ? 2 : 1;
    const asked = Array.from({ length: copies }, () => {
      const origin = random.pick(origins);
      return ask(
        origin + path,
        {
          method,
          headers: {
            cookie: withPosition(cookie),
            origin,
            'idempotency-key': key,
            ...(body !== undefined && JSON_TYPE),
            ...(typeof file === 'string' && TEXT_TYPE),
          },
          ...(body !== undefined && { body: JSON.stringify(body) }),
          ...(file !== undefined && { body: file }),
        },
        { journal, mayMeet, network, onReply: (reply) => keepPosition(cookie, reply) },
      );
    });
    const settled = await Promise.allSettled(asked);
    const [reply = null, ...others] = settled.flatMap((one) =>
      one.status === 'fulfilled' && one.value !== null ? [one.value] : [],
    );
    // One of two copies may be refused, and the other one granted once the cause of the refusal is over.
    const refused = settled.find((one) => one.status === 'rejected');
    if (reply === null && refused !== undefined) throw refused.reason;
    const isSame = others.every((other) =>
      hasTwoReleases ? agree(other, reply) : isDeepStrictEqual(other, reply),
    );
    if (!isSame) journal.faults.push(`two answers to one key: ${method} ${path}`);
    return reply;
  }

  return {
    async send<T>(request: MoneyRequest) {
      const key = randomUUID();
      for (let tries = 1; ; tries += 1) {
        const reply = await attempt(request, key);
        if (reply !== null) return reply as T;
        journal.retried += 1;
        signal?.throwIfAborted();
        await sleep(RETRY_MS * Math.min(tries, 10));
      }
    },
  };
}

/**
 * True if two replies of different releases say the same in all fields that both know. A reply that may not be stored
 * (decision 019) is made again by the server that is asked, and a newer release may have added a field.
 */
function agree(one: unknown, other: unknown): boolean {
  if (Array.isArray(one) && Array.isArray(other)) {
    return one.length === other.length && one.every((item, place) => agree(item, other[place]));
  }
  if (!isRecord(one) || !isRecord(other)) return isDeepStrictEqual(one, other);
  return Object.keys(one).every((name) => !(name in other) || agree(one[name], other[name]));
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * Sends a request without a key until it is done: a second one finds that the first one was.
 *
 * @param done code of the refusal that says so
 * @throws {RefusedError} for any other refusal
 */
export async function sendUntilDone(
  client: Client,
  { mayMeet = [], ...request }: MoneyRequest,
  done: string,
): Promise<void> {
  try {
    await client.send({ ...request, hasKey: false, mayMeet: [...mayMeet, done] });
  } catch (error) {
    if (!(error instanceof RefusedError && error.message === done)) throw error;
  }
}

/**
 * The reply; null if there was none, or a 503. The outcome is then unknown, and the request is
 * repeated.
 */
async function ask(
  url: string,
  init: RequestInit,
  {
    journal,
    mayMeet,
    network,
    onReply,
  }: Pick<ClientOptions, 'journal' | 'network'> & {
    mayMeet: readonly string[];
    onReply: (reply: Response) => void;
  },
): Promise<unknown> {
  const startedMs = performance.now();
  let response: Response;
  let text: string;
  try {
    response = await fetch(url, { ...init, signal: AbortSignal.timeout(ANSWER_WITHIN_MS) });
    if (network.losesReplies) {
      await response.body?.cancel();
      return null;
    }
    text = await response.text();
    onReply(response);
  } catch {
    // The server's process was killed, or it took too long.
    const isLate = performance.now() - startedMs >= ANSWER_WITHIN_MS;
    if (isLate) journal.faults.push(`no answer for ${ANSWER_WITHIN_MS / 1_000} s: ${url}`);
    return null;
  }
  if (response.ok) {
    if (response.headers.has('idempotency-replayed')) journal.replayed += 1;
    // An image comes back as it is.
    return response.headers.get('content-type')?.includes('json') ? JSON.parse(text) : text;
  }
  // A server whose clock is ahead takes a confirmation for an old one. The person confirms again, or meets another server.
  if (text.includes('"code":"confirmation_needed"')) return null;
  if (response.status !== 503) {
    const met = mayMeet.find((code) => text.includes(`"code":"${code}"`));
    if (met !== undefined) throw new RefusedError(met);
    journal.faults.push(`${response.status} ${url}: ${text.slice(0, 200)}`);
    if (response.status < 500) throw new RefusedError(`${response.status} ${url}`);
    return null;
  }
  const isStarting = text.startsWith('Purser is starting');
  const isProblem = response.headers.get('content-type') === 'application/problem+json';
  if (!(isProblem || isStarting) || !response.headers.has('retry-after')) {
    journal.faults.push(`503 of another shape: ${url}: ${text.slice(0, 200)}`);
  }
  return null;
}

/** Acknowledges the differences of a preview, and sends it as it was seen. */
export async function sendPreviewed(
  client: Client,
  cookie: string,
  { hash, alreadyPaid, differences }: PayrollPreview,
  { path, order }: { path: string; order: object },
): Promise<PayrollBatch> {
  for (const { group } of differences?.groups ?? []) {
    await client.send({
      cookie,
      method: 'PUT',
      path: '/api/admin/payroll/acknowledgements',
      body: { hash, group, isAcknowledged: true },
      hasKey: false,
    });
  }
  return client.send<PayrollBatch>({
    cookie,
    path,
    body: { ...order, previewHash: hash, alreadyPaidHash: alreadyPaid?.hash },
    // Another payroll was sent, or somebody was funded, after the preview.
    mayMeet: ['preview_stale', 'already_paid', 'differences_not_acknowledged'],
  });
}
