import { apiKey } from '#contract/things/api-key.ts';
import type { Tx } from '#server/db/tx.ts';
import type { AuditContext, CommandContext } from '#server/lib/actor.ts';
import { AppError } from '#server/lib/errors.ts';
import { checkStatus, journal } from '#server/modules/journal/index.ts';
import type { Services } from '#server/services.ts';
import { apiKeyStatusOf } from './api-keys.ts';

/**
 * Ends an API key for good. A request that it began before is finished.
 *
 * @throws {AppError} `api_key_not_found`, `api_key_not_active`
 */
export async function revokeApiKey(
  tx: Tx,
  { clock }: Pick<Services, 'clock'>,
  by: CommandContext,
  { id }: { id: string },
): Promise<void> {
  const now = clock.now();
  const key = await tx
    .selectFrom('apiKey')
    .select(['revokedAt', 'expiresAt'])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
  if (key === undefined) throw new AppError('api_key_not_found');
  await checkStatus(tx, apiKey, 'revoke', { id, status: apiKeyStatusOf(key, now) });
  await tx
    .updateTable('apiKey')
    .set({ revokedBy: by.actor.id, revokedAt: now })
    .where('id', '=', id)
    .execute();
  journal(tx, by, apiKey, 'revoke', { id, at: now });
}

/**
 * Ends the API keys that a person made who is no administrator any more, or whose account others got into:
 * there may be copies of them, and nothing may be sent in the name of who may not send it.
 *
 * @param keys.revokedBy the admin who ended them, or the person themselves
 * @returns how many were ended
 */
export async function revokeKeysOf(
  tx: Tx,
  by: AuditContext,
  { userId, revokedBy, at }: { userId: string; revokedBy: string; at: Date },
): Promise<number> {
  const revoked = await tx
    .updateTable('apiKey')
    .set({ revokedBy, revokedAt: at })
    .where('createdBy', '=', userId)
    .where('revokedAt', 'is', null)
    .returning('id')
    .execute();
  for (const { id } of revoked) journal(tx, by, apiKey, 'endWithMaker', { id, at });
  return revoked.length;
}
