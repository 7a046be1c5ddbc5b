import { withTx } from '#server/db/tx.ts';
import { AppError } from '#server/lib/errors.ts';
import type { Identity } from '../identity.ts';
import { createLinkToken, spendLinkToken } from '../link-token.ts';
import { readCookie, setCookie } from '../sessions/cookies.ts';

export type Purpose = 'passkey-sign-in' | 'passkey-addition' | 'passkey-confirmation';

/** Time in which a browser has to answer. */
const LIFE_MINUTES = 5;

/** The address that passkeys are bound to: they work on no other, and no page elsewhere can ask for one. */
export function relyingParty({ url }: Pick<Identity, 'url'>): { rpID: string; origin: string } {
  const { hostname, origin } = new URL(url);
  return { rpID: hostname, origin };
}

/** Conditions that an answer to a challenge is verified by: our address, and a device that checked its user. */
export function conditionsOf(identity: Pick<Identity, 'url'>, challenge: string) {
  const { rpID, origin } = relyingParty(identity);
  return {
    expectedChallenge: challenge,
    expectedOrigin: origin,
    expectedRPID: rpID,
    requireUserVerification: true,
  };
}

/**
 * Keeps a challenge for the browser that asked for it.
 *
 * @returns the Set-Cookie header by which the browser is known when it answers
 */
export async function keepChallenge(
  identity: Identity,
  purpose: Purpose,
  value: string,
): Promise<string> {
  const { db, services } = identity;
  const now = services.clock.now();
  const token = await createLinkToken(db, { purpose, value, now, lifeHours: LIFE_MINUTES / 60 });
  return setCookie(identity, 'passkey', token, LIFE_MINUTES * 60);
}

/**
 * The value that was kept for this browser. It is spent whatever the answer is worth.
 *
 * @throws {AppError} `passkey_expired`
 */
export async function takeChallenge(
  identity: Identity,
  purpose: Purpose,
  headers: Headers,
): Promise<string> {
  const token = readCookie(identity, headers, 'passkey') ?? '';
  const value = await withTx(identity.db, (tx) => spendLinkToken(tx, { purpose, token }));
  if (value === null) throw new AppError('passkey_expired');
  return value;
}
