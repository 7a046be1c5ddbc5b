import type { Context } from 'hono';
import { HOUR_S, HOURLY_LIMITS } from '#contract/hourly-limits.ts';
import type { HourlyLimit } from '#contract/hourly-limits.ts';
import { PERSON_HEADER } from '#contract/identity.ts';
import type { ErrorCode } from '#contract/errors.ts';
import type { RouteName } from '#contract/api.ts';
import type { Access, RouteSpec } from '#contract/routes/define.ts';
import { isEmployee } from '#server/lib/actor.ts';
import type { Actor, AuditContext } from '#server/lib/actor.ts';
import { AppError } from '#server/lib/errors.ts';
import type { Environment } from './environment.ts';
import type { AnyContext } from './handlers.ts';
import type { LimitUse } from './rate-limit.ts';
import type { SpendRead } from './read-limit.ts';
import type { ResolveApiKey, ResolveLeaver, ResolveSession } from './session.ts';

/** Reason of a refused access in the audit trail, and its object. */
export interface AccessRefusal {
  action: 'access.refused' | 'confirmation.needed' | 'limit.reached' | 'origin.refused';
  /** Name of the operation, or the refused origin. */
  what: string;
}

/** Parts of the server by which a caller is admitted. */
export interface Admitting {
  resolveSession: ResolveSession;
  resolveLeaver: ResolveLeaver;
  resolveApiKey: ResolveApiKey;
  /** True if a person can confirm with a passkey that it is them. */
  hasPasskey: (userId: string) => Promise<boolean>;
  /** Records a refused access, in a separate transaction. */
  auditRefusal: (by: AuditContext, refusal: AccessRefusal) => Promise<void>;
  /**
   * @throws AppError hourly_limit when the person, or API key, did this too often within an hour
   */
  spendHourly: (limit: HourlyLimit, principalId: string) => Promise<LimitUse>;
  spendRead: SpendRead;
}

/**
 * True if this person may call an operation. An admin who is an employee as well has the operations
 * of both.
 */
function isAdmitted(access: Exclude<Access, 'public'>, actor: Actor): boolean {
  if (access === 'signedIn') return true;
  return access === 'admin' ? actor.role === 'admin' : isEmployee(actor);
}

/**
 * @throws AppError unauthenticated, too_many_reads, other_person, forbidden, two_factor_required,
 *   confirmation_needed
 */
export async function admit(
  c: Context<Environment>,
  name: string,
  { method, access, confirms, isBeforeTwoFactor, isForLeavers }: RouteSpec,
  dependencies: Admitting,
): Promise<AnyContext> {
  const { resolveSession, resolveLeaver, hasPasskey, auditRefusal } = dependencies;
  const { headers } = c.req.raw;
  const origin = c.get('origin');
  const isActivity = name !== ('getSession' satisfies RouteName);
  const signedIn = headers.has('cookie') ? await resolveSession(headers, { isActivity }) : null;
  const actor = signedIn?.actor ?? null;
  c.set('userId', actor?.id ?? null);
  if (access === 'public') return { actor, origin, headers };
  if (signedIn === null || actor === null) {
    const leaver = isForLeavers ? await resolveLeaver(headers) : null;
    if (leaver === null) throw new AppError('unauthenticated');
    c.set('userId', leaver.id);
    await countRead(c, name, leaver, dependencies);
    return { actor: leaver, origin, headers };
  }
  if (method === 'GET') await countRead(c, name, actor, dependencies);
  if (isForSomeoneElse(c.req.raw, actor)) throw new AppError('other_person');
  if (!isAdmitted(access, actor)) {
    await auditRefusal({ actor, origin }, { action: 'access.refused', what: name });
    throw new AppError('forbidden');
  }
  if (signedIn.mustSetUpTwoFactor && !isBeforeTwoFactor) throw new AppError('two_factor_required');
  // The password in the body confirms, but not the second factor.
  const isAsked = confirms === 'recent' || (confirms === 'password' && signedIn.hasTwoFactor);
  if (isAsked && !signedIn.isConfirmed) {
    await auditRefusal({ actor, origin }, { action: 'confirmation.needed', what: name });
    throw new AppError('confirmation_needed', {
      by: signedIn.hasTwoFactor ? 'code' : 'password',
      ...((await hasPasskey(actor.id)) && { or: 'passkey' }),
    });
  }
  const { newBrowserUntil } = signedIn;
  return { actor, origin, headers, ...(newBrowserUntil !== null && { newBrowserUntil }) };
}

/**
 * Counts a read of a person, and says in the reply how many are left. The first of a minute that is too many
 * is in the audit trail.
 *
 * @throws AppError too_many_reads
 */
async function countRead(
  c: Context<Environment>,
  name: string,
  actor: Actor,
  { spendRead, auditRefusal }: Pick<Admitting, 'spendRead' | 'auditRefusal'>,
): Promise<void> {
  const { use, over } = await spendRead(actor.id);
  c.set('limitUse', use);
  if (over === 0) return;
  const by = { actor, origin: c.get('origin') };
  if (over === 1) await auditRefusal(by, { action: 'limit.reached', what: name });
  throw new AppError('too_many_reads', { retryAfterS: use.resetS });
}

/** Refusals by a limit that somebody met, other than those of amounts that hold for everybody. */
const LIMITS: ReadonlySet<ErrorCode> = new Set([
  'too_many_requests',
  'hourly_limit',
  'new_browser_limit',
  'api_key_daily_limit',
]);

/** Runs a part of an operation. A limit that it meets is in the audit trail. */
export async function recordLimit<T>(
  name: string,
  { actor, origin }: Pick<AnyContext, 'actor' | 'origin'>,
  { auditRefusal }: Pick<Admitting, 'auditRefusal'>,
  run: () => Promise<T>,
): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof AppError && LIMITS.has(error.code)) {
      const by = { actor: actor ?? ('visitor' as const), origin };
      await auditRefusal(by, { action: 'limit.reached', what: name });
    }
    throw error;
  }
}

/**
 * Admits whoever is signed in or holds an API key to what describes the API.
 *
 * @throws AppError unauthenticated, api_key_invalid
 */
export async function admitReader(
  { headers }: Request,
  { resolveSession, resolveApiKey }: Pick<Admitting, 'resolveSession' | 'resolveApiKey'>,
): Promise<void> {
  const key = bearerOf(headers);
  if (key !== null && (await resolveApiKey(key)) === null) throw new AppError('api_key_invalid');
  if (key !== null) return;
  const signedIn = headers.has('cookie')
    ? await resolveSession(headers, { isActivity: false })
    : null;
  if (signedIn === null) throw new AppError('unauthenticated');
}

/** True if a request comes from a page that was drawn for another person. */
function isForSomeoneElse({ headers }: Request, actor: Actor): boolean {
  const drawnFor = headers.get(PERSON_HEADER);
  return drawnFor !== null && drawnFor !== actor.id;
}

/** API key of a request: only from its Authorization header, so never in an address. */
export function bearerOf(headers: Headers): string | null {
  const [, key] = /^bearer +(\S+)$/i.exec(headers.get('authorization') ?? '') ?? [];
  return key ?? null;
}

/**
 * An API key can call the operations of its scope, and no others, whoever else may call those. A
 * cookie in the same request is ignored.
 *
 * @throws AppError api_key_invalid, api_key_refused, hourly_limit
 */
export async function admitKey(
  c: Context<Environment>,
  name: RouteName,
  { scope }: RouteSpec,
  key: string,
  dependencies: Admitting,
): Promise<AnyContext> {
  const { resolveApiKey, auditRefusal, spendHourly } = dependencies;
  const origin = c.get('origin');
  const bearer = await resolveApiKey(key);
  if (bearer === null) throw new AppError('api_key_invalid');
  const { actor, scopes } = bearer;
  c.set('userId', actor.id);
  if (scope === null || !scopes.includes(scope)) {
    await auditRefusal({ actor, origin }, { action: 'access.refused', what: name });
    throw new AppError('api_key_refused');
  }
  const use = recordLimit(name, { actor, origin }, dependencies, () =>
    spendHourly('apiKeyRequests', actor.apiKey.id),
  ).catch((refusal: unknown) => {
    if (refusal instanceof AppError) c.set('limitUse', usedUp(refusal));
    throw refusal;
  });
  c.set('limitUse', await use);
  return { actor, origin, headers: c.req.raw.headers };
}

/** Limit of an API key whose request was refused for it. */
function usedUp({ details }: AppError): LimitUse {
  const [most, perS] = [HOURLY_LIMITS.apiKeyRequests, HOUR_S];
  return { most, perS, left: 0, resetS: Number(details['retryAfterS'] ?? HOUR_S) };
}
