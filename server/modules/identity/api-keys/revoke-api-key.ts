import { apiKeyCan } from '#contract/api-keys.ts';
import { can } from '#contract/can.ts';
import type { Tx } from '#server/db/tx.ts';
import { publish } from '#server/events/outbox.ts';
import type { AuditContext, CommandContext } from '#server/lib/actor.ts';
import { AppError } from '#server/lib/errors.ts';
import { describeLastAct, recordAudit } from '#server/modules/audit/index.ts';
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
  id: string,
): Promise<void> {
  const now = clock.now();
  const key = await tx
    .selectFrom('apiKey')
    .select(['revokedAt', 'expiresAt'])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
  if (key === undefined) throw new AppError('api_key_not_found');
  const status = apiKeyStatusOf(key, now);
  if (!can(apiKeyCan, 'revoke', status)) {
    const lastAct = await describeLastAct(tx, { type: 'api_key', id });
    throw new AppError('api_key_not_active', { status, ...lastAct });
  }
  await tx
    .updateTable('apiKey')
    .set({ revokedBy: by.actor.id, revokedAt: now })
    .where('id', '=', id)
    .execute();
  recordAudit(tx, { by, action: 'api_key.revoked', subjectType: 'api_key', subjectId: id });
  publish(tx, { topic: 'people', userId: null });
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
  for (const { id } of revoked) {
    recordAudit(tx, { by, action: 'api_key.revoked', subjectType: 'api_key', subjectId: id });
  }
  return revoked.length;
}
