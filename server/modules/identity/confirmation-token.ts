import { CONFIRMATION_LINK_LIFE_HOURS } from '#contract/limits.ts';
import type { Identity } from './identity.ts';
import { createLinkToken } from './link-token.ts';
import { findUserByEmail } from './queries.ts';

/**
 * Creates the token of a link that confirms an address, for CONFIRMATION_LINK_LIFE_HOURS. It is a row and no
 * signature, so that it can be spent: it must not confirm a later sign-up on the same address.
 *
 * @returns null when there is no such person, or the address is confirmed already
 */
export async function createConfirmationToken(
  { db, services }: Pick<Identity, 'db' | 'services'>,
  email: string,
): Promise<string | null> {
  const user = await findUserByEmail(db, email);
  if (user === undefined || user.emailVerified) return null;
  return createLinkToken(db, {
    purpose: 'confirm-email',
    value: user.id,
    now: services.clock.now(),
    lifeHours: CONFIRMATION_LINK_LIFE_HOURS,
  });
}
