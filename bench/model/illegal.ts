import { isDeepStrictEqual } from 'node:util';
import { MAX_AMOUNT_MINOR } from '#contract/money.ts';
import { ROUTES } from '#contract/routes/all.ts';
import type { RouteSpec } from '#contract/routes/define.ts';
import { pickOne, requestOf } from './attempt.ts';
import type { Attempt } from './attempt.ts';
import { keysToRefuse } from './api-keys.ts';
import type { Company } from './company.ts';
import { commandAt } from './coverage.ts';
import type { ModelPerson } from './things.ts';
import { compareTrail, expectNoTrail } from './trail.ts';

const ROUTE_OF: Readonly<Record<string, RouteSpec>> = ROUTES;
/** Amounts that no request may name, and those that only some may. */
const BAD_AMOUNTS = ['-1', '1.5', '1e3', '', String(MAX_AMOUNT_MINOR + 1n)];
const KEY_ERRORS = ['idempotency_key_required', 'idempotency_key_reused'] as const;

/** A request that is refused for itself, whatever the state of the company. */
export interface Illegal {
  body?: unknown;
  cookie?: string;
  apiKey?: string;
  /** True to leave out the Idempotency-Key. */
  isKeyless?: boolean;
  codes: readonly string[];
}

/** A request as somebody who may not send it, with an amount that is none, in another currency, or without its key. */
export function spoil(company: Company, made: Attempt): Illegal | null {
  const { random } = company;
  if (made.cookie === null) return null;
  if (random.chance(0.06)) return trespass(company, made);
  if (random.chance(0.02) && isKeyed(made)) {
    return { body: made.body, cookie: made.by.cookie, isKeyless: true, codes: [KEY_ERRORS[0]] };
  }
  return random.chance(0.04) ? badAmount(company, made) : null;
}

/** True for an operation that takes an Idempotency-Key. */
export function isKeyed({ method = 'POST', path }: Attempt): boolean {
  const route = ROUTE_OF[commandAt(method, path) ?? ''];
  return route?.idempotency === 'required';
}

function trespass(company: Company, made: Attempt): Illegal | null {
  const { path, confirms, by, body } = made;
  const { oracle } = company;
  const isOfAdmins = path.startsWith('/api/admin/');
  const people = [...oracle.people.values()].filter(({ hasLeft }) => !hasLeft);
  const outsiders: ModelPerson[] = people.filter((one) =>
    isOfAdmins ? !one.isAdmin : !one.isEmployee,
  );
  const outsider = pickOne(company, outsiders);
  const key = pickOne(company, keysToRefuse(company, made));
  const ended = pickOne(company, oracle.ended);
  const isOfEach = path.startsWith('/api/auth/');
  return pickOne<Illegal>(company, [
    { body, codes: ['unauthenticated'] },
    ...(key === null ? [] : [{ body, ...key }]),
    ...(ended === null ? [] : [{ body, cookie: ended, codes: ['unauthenticated'] }]),
    ...(isOfEach || outsider === null
      ? []
      : [{ body, cookie: outsider.cookie, codes: ['forbidden'] }]),
    ...(confirms === true ? [{ body, cookie: by.weakCookie, codes: ['confirmation_needed'] }] : []),
  ]);
}

function badAmount(
  company: Company,
  { by, body, refusals, comparesMoney }: Attempt,
): Illegal | null {
  const { random } = company;
  if (typeof body !== 'object' || body === null || !hasMoney(body)) return null;
  const { cookie } = by;
  if (comparesMoney !== true && random.chance(0.3)) {
    // Other refusals of the command may come first.
    const others = refusals.filter((code) => code !== false);
    const other = withMoney(body, (one) => ({ ...one, currency: 'EUR' }));
    return { body: other, cookie, codes: ['amount_invalid', ...others] };
  }
  const minor = random.pick(BAD_AMOUNTS as [string]);
  return {
    body: withMoney(body, (one) => ({ ...one, minor })),
    cookie,
    codes: ['invalid_request'],
  };
}

interface WrittenMoney {
  minor: string;
  currency: string;
}

function isMoney(value: unknown): value is WrittenMoney {
  return typeof value === 'object' && value !== null && 'minor' in value && 'currency' in value;
}

function hasMoney(body: object): boolean {
  return Object.values(body).some((value: unknown) => isMoney(value));
}

/** The body with each of its amounts changed. */
function withMoney(body: object, change: (one: WrittenMoney) => WrittenMoney): object {
  return Object.fromEntries(
    Object.entries(body).map(([name, value]: [string, unknown]) => [
      name,
      isMoney(value) ? change(value) : value,
    ]),
  );
}

/** Sends a request that is refused, with one of these codes. @throws Error if it is not */
export async function expectRefusal(
  company: Company,
  made: Attempt,
  { body, cookie, apiKey, isKeyless, codes }: Illegal,
): Promise<void> {
  const { app } = company;
  const { path, method = 'POST' } = made;
  const { key, headers, ...request } = requestOf(body);
  const response = await app.ask(method, path, {
    ...request,
    ...(isKeyless !== true && { key }),
    ...(cookie !== undefined && { cookie }),
    headers: {
      ...headers,
      ...bearer(apiKey),
    },
  });
  const reply: unknown = await response.json();
  await compareTrail(company, made, response);
  if (!response.ok && codes.includes(codeOf(reply))) return;
  throw new Error(
    `${method} ${path} ${JSON.stringify(body ?? null)}: expected ${codes.join(' or ')}, got ${JSON.stringify(reply)}`,
  );
}

/** Sends a request again with its key, as it was and with another body. @throws Error for another answer */
export async function repeat(
  company: Company,
  made: Attempt,
  { key, reply }: { key: string; reply: unknown },
): Promise<void> {
  const { path, method = 'POST', body } = made;
  const again = await sendBy(company, made, key);
  if (!isDeepStrictEqual(await again.json(), reply)) {
    throw new Error(`another answer to the same key: ${method} ${path}`);
  }
  await expectNoTrail(company, path, again);
  if (typeof body !== 'object' || body === null || !hasMoney(body)) return;
  const other = withMoney(body, ({ minor, currency }) => ({
    currency,
    minor: String(BigInt(minor) + 1n),
  }));
  const changed = await sendBy(company, { ...made, body: other }, key);
  const code = codeOf(await changed.json());
  if (code !== KEY_ERRORS[1]) throw new Error(`${code} for a key of another body: ${path}`);
}

/** Sends a request as its person, or with its API key. */
export function sendBy(
  { app }: Company,
  { by, cookie, apiKey, path, method = 'POST', body }: Attempt,
  key: string,
): Promise<Response> {
  const { headers, ...request } = requestOf(body);
  const session = cookie === null || apiKey !== undefined ? {} : { cookie: cookie ?? by.cookie };
  return app.ask(method, path, {
    ...request,
    ...session,
    key,
    headers: { ...headers, ...bearer(apiKey) },
  });
}

function bearer(apiKey: string | undefined): Record<string, string> {
  return apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` };
}

export function codeOf(reply: unknown): string {
  const { code } = reply as { code?: string };
  return code ?? 'none';
}
