import type { RequestOrigin } from '#server/lib/actor.ts';
import { AppError } from '#server/lib/errors.ts';
import { addressKey } from '../attempts.ts';
import type { Identity } from '../identity.ts';
import { isKnownBrowser } from '../sessions/known-places.ts';

type Counting = Pick<Identity, 'attempts'>;

/** Account whose password is tried, and the place of the attempt. */
export interface TriedAccount {
  /** In lower case. */
  email: string;
  /** Result of `addressKey`. */
  network: string;
  /** Result of `browserKeyOf`. */
  browser: string | null;
}

/**
 * Counts one attempt at the password of an account, wherever it is asked for, before it is looked at. A
 * browser that has signed in to the account before has attempts of its own, so that no stranger uses
 * them up, whether on the same network or on a thousand others.
 *
 * @throws {AppError} `too_many_requests`
 */
export async function spendPasswordAttempt(
  { attempts, db }: Counting & Pick<Identity, 'db'>,
  { email, network, browser }: TriedAccount,
): Promise<void> {
  if (browser !== null && (await isKnownBrowser(db, { email, browser }))) {
    await attempts.spend('signInFromKnownBrowser', accountFrom(email, browser));
    return;
  }
  await attempts.check('wrongPasswordFromAddress', network);
  await attempts.spend('signInToAccount', accountFrom(email, network));
  await attempts.spend('signInToAccountAnywhere', email);
}

/** Counts a wrong password for the network that it came from, whatever the account. */
export async function countWrongPassword(
  { attempts }: Counting,
  { ipAddress }: RequestOrigin,
): Promise<void> {
  await attempts
    .spend('wrongPasswordFromAddress', addressKey(ipAddress))
    .catch((refusal: unknown) => {
      // Counted all the same; the next one is refused before the password is looked at.
      if (!(refusal instanceof AppError)) throw refusal;
    });
}

/** Forgets the wrong passwords before the right one, or before a new one was chosen by a mailed link. */
export async function forgiveSignIns(
  { attempts }: Counting,
  { email, network, browser }: TriedAccount,
): Promise<void> {
  if (browser !== null) {
    await attempts.forgive('signInFromKnownBrowser', accountFrom(email, browser));
  }
  await attempts.forgive('signInToAccount', accountFrom(email, network));
  await attempts.forgive('signInToAccountAnywhere', email);
}

/** Key under which wrong passwords for an account are counted, from one network or browser. */
function accountFrom(email: string, place: string): string {
  return `${email} ${place}`;
}
