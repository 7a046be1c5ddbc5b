import type { RouteReply } from '#contract/api.ts';
import type { Db } from '#server/db/tx.ts';
import { readSettings } from '#server/modules/settings/index.ts';

/** How a person signs in, and whether their payouts are frozen. */
export async function getMySecurity(db: Db, userId: string): Promise<RouteReply<'getMySecurity'>> {
  const { requireAdminTwoFactor } = await readSettings(db);
  const row = await db
    .selectFrom('appUser')
    .leftJoin('authTwoFactor', 'authTwoFactor.userId', 'appUser.id')
    .select(['role', 'twoFactorEnabled', 'payoutsFrozenAt'])
    .select(['backupCodes', 'verifiedAt', 'lastUsedAt'])
    .where('appUser.id', '=', userId)
    .executeTakeFirstOrThrow();
  const { backupCodes, verifiedAt, lastUsedAt } = row;
  return {
    twoFactor:
      row.twoFactorEnabled && verifiedAt !== null
        ? {
            since: verifiedAt.toISOString(),
            recoveryCodesLeft: (JSON.parse(backupCodes ?? '[]') as string[]).length,
            lastUsedAt: lastUsedAt?.toISOString() ?? null,
          }
        : null,
    isTwoFactorRequired: row.role === 'admin' && requireAdminTwoFactor,
    payoutsFrozenAt: row.payoutsFrozenAt?.toISOString() ?? null,
  };
}
