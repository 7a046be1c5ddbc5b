import type { RouteReply } from '#contract/api.ts';
import type { Db } from '#server/db/tx.ts';
import { readSettings } from '#server/modules/settings/index.ts';
import { countRecoveryCodes } from './recovery-codes.ts';

/** Means of signing in of a person, and the state of their payouts. */
export async function getMySecurity(
  db: Db,
  { userId, now }: { userId: string; now: Date },
): Promise<RouteReply<'getMySecurity'>> {
  const { requireAdminTwoFactor } = await readSettings(db);
  const row = await db
    .selectFrom('appUser')
    .leftJoin('authTwoFactor', 'authTwoFactor.userId', 'appUser.id')
    .leftJoin('emailChange', (join) =>
      join
        .onRef('emailChange.userId', '=', 'appUser.id')
        .on('confirmedAt', 'is', null)
        .on('cancelledAt', 'is', null)
        .on('emailChange.expiresAt', '>', now),
    )
    .select(['role', 'twoFactorEnabled', 'payoutsFrozenAt', 'appUser.email'])
    .select(['emailChange.email as newEmail', 'emailChange.expiresAt as newEmailUntil'])
    .select(['backupCodes', 'verifiedAt', 'lastUsedAt'])
    .where('appUser.id', '=', userId)
    .executeTakeFirstOrThrow();
  const passkeys = await db
    .selectFrom('authPasskey')
    .select(['id', 'name', 'createdAt', 'lastUsedAt'])
    .where('userId', '=', userId)
    .orderBy('createdAt')
    .orderBy('id')
    .execute();
  const { backupCodes, verifiedAt, lastUsedAt } = row;
  return {
    twoFactor:
      row.twoFactorEnabled && verifiedAt !== null
        ? {
            since: verifiedAt.toISOString(),
            recoveryCodesLeft: countRecoveryCodes(backupCodes ?? '[]'),
            lastUsedAt: lastUsedAt?.toISOString() ?? null,
          }
        : null,
    passkeys: passkeys.map((passkey) => ({
      id: passkey.id,
      name: passkey.name ?? 'Passkey',
      createdAt: passkey.createdAt.toISOString(),
      lastUsedAt: passkey.lastUsedAt?.toISOString() ?? null,
    })),
    isTwoFactorRequired: row.role === 'admin' && requireAdminTwoFactor,
    payoutsFrozenAt: row.payoutsFrozenAt?.toISOString() ?? null,
    email: row.email,
    pendingEmail:
      row.newEmail !== null && row.newEmailUntil !== null
        ? { email: row.newEmail, until: row.newEmailUntil.toISOString() }
        : null,
  };
}
