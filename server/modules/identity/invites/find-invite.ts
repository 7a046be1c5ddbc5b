import { INVITE_LIFE_HOURS } from '#contract/limits.ts';
import type { Reader } from '#server/db/tx.ts';
import { inviteHash } from './create-invite.ts';
import type { Identity } from '../identity.ts';
import { createLinkToken, findByLinkToken } from '../link-token.ts';

interface WaitingInvite {
  id: string;
  /** The only address that may redeem it, or null. */
  email: string | null;
  createdBy: string | null;
}

/**
 * Finds the invite of a token, unless it was used, revoked or has expired. A token is the one that the
 * invite was created with, or one that was made when its mail was sent.
 */
export async function findInvite(
  reader: Reader,
  { token, now }: { token: string; now: Date },
): Promise<WaitingInvite | undefined> {
  const mailed = await findByLinkToken(reader, { purpose: 'admin-invite', token, now });
  return waitingInvites(reader, now)
    .where((where) =>
      where.or([
        where('tokenHash', '=', inviteHash(token)),
        ...(mailed === null ? [] : [where('id', '=', mailed)]),
      ]),
    )
    .executeTakeFirst();
}

/** Makes the token of an invite's mail; null where the invite no longer waits. */
export async function createInviteToken(
  { db, services }: Pick<Identity, 'db' | 'services'>,
  inviteId: string,
): Promise<string | null> {
  const now = services.clock.now();
  const invite = await waitingInvites(db, now).where('id', '=', inviteId).executeTakeFirst();
  if (invite === undefined) return null;
  const lifeHours = INVITE_LIFE_HOURS;
  return createLinkToken(db, { purpose: 'admin-invite', value: inviteId, now, lifeHours });
}

function waitingInvites(reader: Reader, now: Date) {
  return reader
    .selectFrom('adminInvite')
    .select(['id', 'email', 'createdBy'])
    .where('redeemedAt', 'is', null)
    .where('revokedAt', 'is', null)
    .where('expiresAt', '>', now);
}
