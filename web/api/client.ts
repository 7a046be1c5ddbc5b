import type { RouteInput, RouteReply, RouteName } from '#contract/api.ts';
import type { FieldError, Problem } from '#contract/errors.ts';
import { BACKGROUND_HEADER, PERSON_HEADER, POSITION_HEADER } from '#contract/identity.ts';
import { PATHS } from '#contract/paths.ts';
import { ReadableError } from '#web/lib/readable-error.ts';
import { confirmItIsYou } from './confirmation.ts';
import { keepPosition } from './position.ts';
import { isPersonAway } from './presence.ts';
import { isPageLocked, lockPage, pagePerson, untilUnlocked } from './session-lock.ts';

/** The server's refusal of a request, as problem+json said it. */
export class ApiError extends ReadableError {
  override readonly name = 'ApiError';
  readonly problem: Problem;

  constructor(problem: Problem) {
    super(problem.title);
    this.problem = problem;
  }

  /** Fault of one field, by its dotted name; undefined if it has none. */
  field(path: string): string | undefined {
    return this.fields.find((error) => error.path === path)?.message;
  }

  get fields(): readonly FieldError[] {
    return this.problem.errors ?? [];
  }
}

/** True if a request was refused because the user, asked to confirm that it is them, closed the question. */
export function isUnconfirmed(error: unknown): boolean {
  return error instanceof ApiError && error.problem.code === 'confirmation_needed';
}

/** Nobody knows whether the request arrived: no connection, a time-out, a broken reply. */
export class UnknownOutcomeError extends ReadableError {
  override readonly name = 'UnknownOutcomeError';
}

export interface CallOptions {
  signal?: AbortSignal;
  /** For operations that move money; the same key makes a retry of the same request harmless. */
  idempotencyKey?: string;
  /** Counts as no activity of the person, even while they use the page. */
  isBackground?: boolean;
  /** Goes on when the page is closed; the browser bounds such bodies at 64 KiB. */
  outlivesPage?: boolean;
}

type Arguments<Name extends RouteName> =
  object extends RouteInput<Name>
    ? [input?: RouteInput<Name>, options?: CallOptions]
    : [input: RouteInput<Name>, options?: CallOptions];

const REQUEST_TIMEOUT_MS = 30_000;
/** Timeout of requests that may take longer: the lines of a payroll are written before it is answered. */
const LONGER_TIMEOUTS_MS: Partial<Record<RouteName, number>> = {
  adminSendPayroll: 125_000,
  adminSendPayrollDraft: 125_000,
};

/** Input of any operation. */
export interface LooseInput {
  params?: Record<string, string>;
  query?: Record<string, string | number | boolean | undefined>;
  body?: unknown;
}

/** The address of an operation, with its path parameters and query filled in. */
export function addressOf<Name extends RouteName>(name: Name, input: RouteInput<Name>): string {
  const { params = {}, query = {} } = input as LooseInput;
  const path = PATHS[name][1].replaceAll(/\{(\w+)\}/g, (_, key: string) =>
    encodeURIComponent(params[key] ?? ''),
  );
  const search = new URLSearchParams();
  for (const [key, value] of Object.entries(query)) {
    if (value !== undefined && value !== '') search.set(key, String(value));
  }
  return search.size === 0 ? path : `${path}?${search.toString()}`;
}

export function isProblem(value: unknown): value is Problem {
  return typeof value === 'object' && value !== null && 'code' in value && 'title' in value;
}

/** Answer to more bytes than a server in front of Purser lets through: nginx takes 1 MB by default. */
const TOO_LARGE_FOR_PROXY: Problem = {
  type: 'about:blank',
  status: 413,
  code: 'body_too_large',
  requestId: '',
  title:
    'The web server in front of Purser does not let files of this size through. Please tell your administrator: it has to take 26 MB.',
};

/** The error for an answer that is no success; `reply` is undefined where it was not JSON. */
export function refusalOf(status: number, reply: unknown): Error {
  if (isProblem(reply)) return new ApiError(reply);
  if (status === TOO_LARGE_FOR_PROXY.status) return new ApiError(TOO_LARGE_FOR_PROXY);
  return new UnknownOutcomeError(
    status === 0
      ? 'The server could not be reached. Please try again.'
      : `The server answered ${status}. Please try again.`,
  );
}

/** Operations that are sent while the page is locked: all others wait. */
const SENT_WHILE_LOCKED: ReadonlySet<RouteName> = new Set([
  'getSession',
  'signIn',
  'verifySecondFactor',
  'beginPasskeySignIn',
  'signInWithPasskey',
  'requestPasswordReset',
]);
/** Operations that renew the session: once done, the server refuses the cookie of before. */
const RENEW_SESSION: ReadonlySet<RouteName> = new Set([
  'changePassword',
  'turnOnTwoFactor',
  'turnOffTwoFactor',
  'redeemInvite',
]);
/** The renewal whose new cookie has not arrived yet. */
let renewal: Promise<unknown> | undefined;
/** A change that was asked for longer ago than this, before the page was locked, is not made. */
const MAX_HELD_MS = 10 * 60_000;

/**
 * Calls an operation of the contract. Where the session has ended, the page is locked, and the same
 * request is sent again once its person has signed in. Where the server first wants to know that the
 * user is the owner of the session, the user is asked, and the same request is sent again.
 * @throws ApiError when the server refused; UnknownOutcomeError when its answer never came.
 */
export async function call<Name extends RouteName>(
  name: Name,
  ...[input, options = {}]: Arguments<Name>
): Promise<RouteReply<Name>> {
  const given = (input ?? {}) as RouteInput<Name>;
  if (isPageLocked() && !SENT_WHILE_LOCKED.has(name)) await untilUnlocked();
  if (renewal !== undefined) await renewal;
  try {
    return await sendAsIs(name, given, options);
  } catch (error) {
    const code = error instanceof ApiError ? error.problem.code : undefined;
    if (code === 'unauthenticated' && (await hasSignedInAgain(name))) {
      return call(name, ...([given, options] as unknown as Arguments<Name>));
    }
    if (!(await hasConfirmed(error))) throw error;
    return sendAsIs(name, given, options);
  }
}

/** Sends a request once. Others wait for one that renews the session. */
function sendAsIs<Name extends RouteName>(
  ...request: [name: Name, given: RouteInput<Name>, options: CallOptions]
): Promise<RouteReply<Name>> {
  const reply = send(...request);
  if (RENEW_SESSION.has(request[0])) {
    renewal = reply
      .catch(() => undefined)
      .finally(() => {
        renewal = undefined;
      });
  }
  return reply;
}

/** Asks the person to confirm that it is them, where the server refused for that. True if they did. */
export async function hasConfirmed(error: unknown): Promise<boolean> {
  if (!(error instanceof ApiError) || !isUnconfirmed(error)) return false;
  const { details } = error.problem;
  const by = details?.['by'] === 'code' ? 'code' : 'password';
  return confirmItIsYou({ by, hasPasskey: details?.['or'] === 'passkey' });
}

/** Locks the page, and answers whether a request that was refused may be sent again. */
export async function hasSignedInAgain(name: RouteName): Promise<boolean> {
  if (pagePerson() === null) return false;
  const since = Date.now();
  lockPage();
  const isSamePerson = await untilUnlocked();
  const isTooOld = PATHS[name][0] !== 'GET' && Date.now() - since > MAX_HELD_MS;
  return isSamePerson && !isTooOld;
}

async function send<Name extends RouteName>(
  name: Name,
  given: RouteInput<Name>,
  options: CallOptions,
): Promise<RouteReply<Name>> {
  const { body } = given as LooseInput;
  const headers = new Headers({ accept: 'application/json' });
  if (body !== undefined) headers.set('content-type', 'application/json');
  if (options.idempotencyKey !== undefined) headers.set('idempotency-key', options.idempotencyKey);
  if (options.isBackground === true || isPersonAway()) headers.set(BACKGROUND_HEADER, '1');
  const person = pagePerson();
  if (person !== null && !SENT_WHILE_LOCKED.has(name)) headers.set(PERSON_HEADER, person);
  const timeout = AbortSignal.timeout(LONGER_TIMEOUTS_MS[name] ?? REQUEST_TIMEOUT_MS);
  const signal =
    options.signal === undefined ? timeout : AbortSignal.any([options.signal, timeout]);

  let response: Response;
  let reply: unknown;
  keepPosition();
  try {
    response = await fetch(addressOf(name, given), {
      method: PATHS[name][0],
      headers,
      signal,
      keepalive: options.outlivesPage === true,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    keepPosition(response.headers.get(POSITION_HEADER));
    reply = response.ok ? await response.json() : await response.json().catch(() => undefined);
  } catch (error) {
    if (options.signal?.aborted === true) throw error;
    throw new UnknownOutcomeError('The server could not be reached. Please try again.', {
      cause: error,
    });
  }
  if (!response.ok) throw refusalOf(response.status, reply);
  return reply as RouteReply<Name>;
}
