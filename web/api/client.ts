import type { RouteInput, RouteReply } from '#contract/api.ts';
import type { FieldError, Problem } from '#contract/errors.ts';
import { BACKGROUND_HEADER } from '#contract/identity.ts';
import { PATHS } from '#contract/paths.ts';
import { confirmItIsYou } from './confirmation.ts';
import { isPersonAway } from './presence.ts';
import type { RouteName } from '#contract/paths.ts';

/** The server's refusal of a request, as problem+json said it. */
export class ApiError extends Error {
  readonly problem: Problem;

  constructor(problem: Problem) {
    super(problem.title);
    this.name = 'ApiError';
    this.problem = problem;
  }

  /** What was wrong with one field, by its dotted name; undefined when nothing was. */
  field(path: string): string | undefined {
    return this.fields.find((error) => error.path === path)?.message;
  }

  get fields(): readonly FieldError[] {
    return this.problem.errors ?? [];
  }
}

/** Nobody knows whether the request arrived: no connection, a time-out, a broken reply. */
export class UnknownOutcomeError extends Error {
  override readonly name = 'UnknownOutcomeError';
}

export interface CallOptions {
  signal?: AbortSignal;
  /** For operations that move money; the same key makes a retry of the same request harmless. */
  idempotencyKey?: string;
  /** Goes on when the page is closed meanwhile; the browser bounds such bodies at 64 KiB. */
  outlivesPage?: boolean;
}

type Arguments<Name extends RouteName> =
  object extends RouteInput<Name>
    ? [input?: RouteInput<Name>, options?: CallOptions]
    : [input: RouteInput<Name>, options?: CallOptions];

const REQUEST_TIMEOUT_MS = 30_000;
/** Of requests that may take longer: the lines of a payroll are written before it is answered. */
const LONGER_TIMEOUTS_MS: Partial<Record<RouteName, number>> = { adminSendPayroll: 125_000 };

/** What a caller sends, of an operation that is any. */
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

/**
 * Calls an operation of the contract. Where the server first wants to know that the user is the owner
 * of the session, the user is asked, and the same request is sent again.
 * @throws ApiError when the server refused; UnknownOutcomeError when its answer never came.
 */
export async function call<Name extends RouteName>(
  name: Name,
  ...[input, options = {}]: Arguments<Name>
): Promise<RouteReply<Name>> {
  const given = (input ?? {}) as RouteInput<Name>;
  try {
    return await send(name, given, options);
  } catch (error) {
    const isAsked = error instanceof ApiError && error.problem.code === 'confirmation_needed';
    if (!isAsked) throw error;
    const by = error.problem.details?.['by'] === 'code' ? 'code' : 'password';
    if (!(await confirmItIsYou(by))) throw error;
    return send(name, given, options);
  }
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
  if (isPersonAway()) headers.set(BACKGROUND_HEADER, '1');
  const timeout = AbortSignal.timeout(LONGER_TIMEOUTS_MS[name] ?? REQUEST_TIMEOUT_MS);
  const signal =
    options.signal === undefined ? timeout : AbortSignal.any([options.signal, timeout]);

  let response: Response;
  let reply: unknown;
  try {
    response = await fetch(addressOf(name, given), {
      method: PATHS[name][0],
      headers,
      signal,
      keepalive: options.outlivesPage === true,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    reply = await response.json();
  } catch (error) {
    if (options.signal?.aborted === true) throw error;
    throw new UnknownOutcomeError('The server could not be reached. Please try again.', {
      cause: error,
    });
  }
  if (!response.ok) {
    if (isProblem(reply)) throw new ApiError(reply);
    throw new UnknownOutcomeError(`The server answered ${response.status}. Please try again.`);
  }
  return reply as RouteReply<Name>;
}
