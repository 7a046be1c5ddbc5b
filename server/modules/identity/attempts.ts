import { createHash } from 'node:crypto';
import { isIPv6 } from 'node:net';
import type pg from 'pg';
import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';
import { HOUR_S, HOURLY_LIMITS } from '#contract/hourly-limits.ts';
import type { HourlyLimit } from '#contract/hourly-limits.ts';
import { SECOND_STEP_MINUTES } from '#contract/limits.ts';
import type { ErrorCode } from '#contract/errors.ts';
import { AppError } from '#server/lib/errors.ts';

interface Limit {
  attempts: number;
  /** Counted from the first attempt; then all are forgotten. */
  perS: number;
}

const QUARTER_HOUR_S = 900;

/**
 * Per client address wide enough for a plant of a thousand people behind one address who begin their shift
 * at the same time; per account as narrow as a person who mistypes can bear.
 */
export const ATTEMPT_LIMITS = {
  signInFromAddress: { attempts: 1_200, perS: QUARTER_HOUR_S },
  /** Per account and network: a stranger elsewhere uses up their own. */
  signInToAccount: { attempts: 10, perS: QUARTER_HOUR_S },
  /** Per account and browser that has signed in to it before: nobody else uses these up. */
  signInFromKnownBrowser: { attempts: 10, perS: QUARTER_HOUR_S },
  /** Per account from everywhere: what many networks together may guess. */
  signInToAccountAnywhere: { attempts: 100, perS: QUARTER_HOUR_S },
  /** Wrong passwords from one network, whatever the account: one password tried on many of them. */
  wrongPasswordFromAddress: { attempts: 60, perS: QUARTER_HOUR_S },
  /** Codes of the app of an account, at sign-in and to confirm, from browsers that have not signed in to it before. */
  codeOfAccount: { attempts: 10, perS: QUARTER_HOUR_S },
  /** Recovery codes likewise: guesses at the app's codes use none of these up. */
  recoveryCodeOfAccount: { attempts: 10, perS: QUARTER_HOUR_S },
  /** Codes of either kind, per account and browser that has signed in to it before. */
  codeFromKnownBrowser: { attempts: 10, perS: QUARTER_HOUR_S },
  /** Codes for one sign-in that waits for them; after that it takes the password again. */
  codeOfSignIn: { attempts: 5, perS: SECOND_STEP_MINUTES * 60 },
  /** One code of an app works once; it is accepted for this long at most (half a minute, and its neighbours). */
  sameCode: { attempts: 1, perS: 120 },
  /** Sign-ins by passkey that are begun: each is a row. */
  passkeyFromAddress: { attempts: 1_200, perS: QUARTER_HOUR_S },
  signUpFromAddress: { attempts: 500, perS: HOUR_S },
  resetFromAddress: { attempts: 300, perS: HOUR_S },
  resetOfAccount: { attempts: 5, perS: HOUR_S },
  confirmationOfAccount: { attempts: 5, perS: HOUR_S },
  /** New addresses that a person asks for: each is a mail to whoever reads it. */
  changeOfEmail: { attempts: 5, perS: HOUR_S },
  changeOfPassword: { attempts: 10, perS: QUARTER_HOUR_S },
  /** Colleagues looked for by their address: who pays needs a few, who collects names needs many. */
  recipientOfAccount: { attempts: 20, perS: HOUR_S },
  /** Links and invites that are wrong or spent. Valid ones do not count, however many an office opens. */
  wrongLinkFromAddress: { attempts: 60, perS: HOUR_S },
  redemptionByAccount: { attempts: 10, perS: HOUR_S },
  /** The same refusal of the same person or network; counted alone, see `recordRefusal`. */
  sameRefusal: { attempts: 1, perS: HOUR_S },
} as const satisfies Record<string, Limit>;

export type AttemptKind = keyof typeof ATTEMPT_LIMITS;
export type AttemptLimits = Readonly<Record<AttemptKind, Limit>>;

/** Refusals of a token that is wrong, spent or another person's. */
const WRONG_LINK: ReadonlySet<ErrorCode> = new Set([
  'link_invalid',
  'invite_invalid',
  'invite_other_email',
]);

export interface Attempts {
  /**
   * Counts an attempt.
   *
   * @param refusal code in place of too_many_requests, where the limit is part of something else
   * @throws AppError too_many_requests, with `retryAfterS`, or `refusal`, when this one is too many
   */
  spend(kind: AttemptKind, who: string, refusal?: ErrorCode): Promise<void>;
  /** @throws AppError too_many_requests when none is left; counts nothing */
  check(kind: AttemptKind, who: string): Promise<void>;
  /** Forgets what was counted: it was the right person after all. */
  forgive(kind: AttemptKind, who: string): Promise<void>;
  /**
   * Runs the act of a secret link and counts it only where the link is wrong. A valid link always works, so
   * that a neighbour who sends wrong ones takes nobody's emergency brake away.
   *
   * @throws AppError too_many_requests instead of saying again that a link is wrong; as the act
   */
  tryLink<T>(who: string, act: () => Promise<T>): Promise<T>;
  /**
   * Counts one of what a person, or an API key, may do so often within an hour.
   *
   * @returns what is left of it
   * @throws AppError hourly_limit when it was done too often
   */
  spendHourly(
    limit: HourlyLimit,
    userId: string,
  ): Promise<{ most: number; perS: number; left: number; resetS: number }>;
  /** Number of times this was counted within an hour, this time included. */
  countRepeat(what: string): Promise<number>;
}

/** A limit of sign-in, or one that an operation declares. */
type Kind = AttemptKind | `hourly.${HourlyLimit}`;

/**
 * Counts attempts in the table `rate_limit`, so that limits hold across processes and restarts.
 *
 * @param limits others than the usual ones, where tests need them
 */
export function createAttempts(pool: pg.Pool, limits: Partial<AttemptLimits> = {}): Attempts {
  const limiters = new Map<Kind, RateLimiterPostgres>();
  const limiterOf = (kind: Kind, { attempts, perS }: Limit) => {
    const known = limiters.get(kind);
    if (known !== undefined) return known;
    const limiter = new RateLimiterPostgres({
      storeClient: pool,
      storeType: 'pool',
      tableName: 'rate_limit',
      tableCreated: true,
      keyPrefix: kind,
      points: attempts,
      duration: perS,
      clearExpiredByTimeout: false,
    });
    limiters.set(kind, limiter);
    return limiter;
  };
  const attemptsOf = (kind: AttemptKind) => limiterOf(kind, limits[kind] ?? ATTEMPT_LIMITS[kind]);

  const spend: Attempts['spend'] = async (kind, who, code) => {
    try {
      await attemptsOf(kind).consume(keyOf(who));
    } catch (refusal) {
      if (!(refusal instanceof RateLimiterRes)) throw refusal;
      throw code === undefined ? tooMany(refusal) : new AppError(code);
    }
  };

  return {
    spend,
    async check(kind, who) {
      const limiter = attemptsOf(kind);
      const counted = await limiter.get(keyOf(who));
      if (counted !== null && counted.consumedPoints >= limiter.points) throw tooMany(counted);
    },
    async tryLink(who, act) {
      try {
        return await act();
      } catch (error) {
        if (error instanceof AppError && WRONG_LINK.has(error.code)) {
          await spend('wrongLinkFromAddress', who);
        }
        throw error;
      }
    },
    async forgive(kind, who) {
      await attemptsOf(kind).delete(keyOf(who));
    },
    async spendHourly(limit, userId) {
      const most = { attempts: HOURLY_LIMITS[limit], perS: HOUR_S };
      try {
        const use = await limiterOf(`hourly.${limit}`, most).consume(keyOf(userId));
        const resetS = waitOf(use).retryAfterS;
        return { most: most.attempts, perS: most.perS, left: use.remainingPoints, resetS };
      } catch (refusal) {
        if (!(refusal instanceof RateLimiterRes)) throw refusal;
        throw new AppError('hourly_limit', waitOf(refusal));
      }
    },
    async countRepeat(what) {
      return (await attemptsOf('sameRefusal').penalty(keyOf(what))).consumedPoints;
    },
  };
}

function tooMany(refusal: RateLimiterRes): AppError {
  return new AppError('too_many_requests', waitOf(refusal));
}

function waitOf({ msBeforeNext }: RateLimiterRes): { retryAfterS: number } {
  return { retryAfterS: Math.max(1, Math.ceil(msBeforeNext / 1_000)) };
}

/**
 * Key under which attempts from an address are counted: an IPv6 client has a whole /64 to choose
 * addresses from, so that counts as one. Unknown addresses count together.
 */
export function addressKey(ipAddress: string | null): string {
  if (ipAddress === null || !isIPv6(ipAddress)) return ipAddress ?? 'unknown';
  const [before = '', after] = ipAddress.split('%')[0]?.split('::') ?? [];
  const head = before === '' ? [] : before.split(':');
  const tail = after === undefined || after === '' ? [] : after.split(':');
  const zeros = Array.from({ length: 8 - head.length - tail.length }, () => '0');
  const groups = after === undefined ? head : [...head, ...zeros, ...tail];
  return groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':');
}

/**
 * The network that a client belongs to, as far as its provider changes its address by itself: half of an
 * IPv4 address, a third of what an IPv6 provider hands out. Null for an unknown address.
 */
export function networkOf(ipAddress: string | null): string | null {
  if (ipAddress === null) return null;
  const isWide = isIPv6(ipAddress);
  return addressKey(ipAddress)
    .split(isWide ? ':' : '.')
    .slice(0, 2)
    .join(isWide ? ':' : '.');
}

/** Hashed, so that the table holds nobody's address. */
function keyOf(who: string): string {
  return createHash('sha256').update(who).digest('base64url');
}
