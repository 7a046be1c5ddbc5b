import type { RequestOrigin } from '#server/lib/actor.ts';
import { AppError } from '#server/lib/errors.ts';
import { addressKey } from './attempts.ts';
import type { Identity } from './identity.ts';

type Counting = Pick<Identity, 'attempts'>;

/**
 * Counts one attempt at the password of an account, wherever it is asked for, before it is looked at.
 *
 * @param email in lower case
 * @param network of `addressKey`
 * @throws {AppError} `too_many_requests`
 */
export async function spendPasswordAttempt(
  { attempts }: Counting,
  email: string,
  network: string,
): Promise<void> {
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
  email: string,
  network: string,
): Promise<void> {
  await attempts.forgive('signInToAccount', accountFrom(email, network));
  await attempts.forgive('signInToAccountAnywhere', email);
}

/** What wrong passwords for an account are counted under, from one network. */
function accountFrom(email: string, network: string): string {
  return `${email} ${network}`;
}
