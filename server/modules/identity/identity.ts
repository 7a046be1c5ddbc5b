import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import type { KycStatus } from '#contract/kyc.ts';
import type { Db, Reader, Tx } from '#server/db/tx.ts';
import type { RequestOrigin } from '#server/lib/actor.ts';
import type { Services } from '#server/services.ts';
import { createAttempts } from './attempts.ts';
import type { AttemptLimits, Attempts } from './attempts.ts';
import type { Secrets } from './secrets.ts';

export interface IdentityOptions {
  db: Db;
  /** Connections under `db`. */
  pool: pg.Pool;
  services: Pick<Services, 'clock'>;
  /** The first signs cookies and encrypts second factors; each at least 32 random characters. */
  secrets: Secrets;
  /** Public address of Purser, `https://pay.example.com`. */
  url: string;
  /** True when a mail server is configured: then an address must be confirmed. */
  confirmsEmail: boolean;
  /** True in production, where no administrator goes on without the two-factor that the company requires. */
  isProduction: boolean;
  /** Other limits than the usual, for tests. */
  limits?: Partial<AttemptLimits>;
  /** Waits for that many milliseconds before an answer whose time would tell something. Tests hand in their own. */
  wait?: (ms: number) => Promise<void>;
  /**
   * Gives a person what they must have by now. Runs in the transaction that records a sign-up or a
   * sign-in, or that accepts them. May run often, also concurrently.
   */
  completePerson: (tx: Tx, userId: string) => Promise<void>;
  /** Status of an employee's latest application. */
  kycStatusOf: (reader: Reader, userId: string) => Promise<KycStatus | null>;
}

/** Dependencies of the sign-in handlers. */
export interface Identity extends Omit<Required<IdentityOptions>, 'pool' | 'limits'> {
  attempts: Attempts;
}

export function createIdentity({ pool, limits, ...options }: IdentityOptions): Identity {
  return { wait: sleep, ...options, attempts: createAttempts(pool, limits) };
}

/** Parts of a request that the sign-in operations need. */
export interface Call {
  origin: RequestOrigin;
  headers: Headers;
}
