import type { RouteArguments, RouteReply } from '#contract/api.ts';
import { API_KEY_PREFIX } from '#contract/api-keys.ts';
import type { Tx } from '#server/db/tx.ts';
import { publish } from '#server/events/outbox.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { AppError } from '#server/lib/errors.ts';
import { newId, newToken } from '#server/lib/ids.ts';
import { recordAudit } from '#server/modules/audit/index.ts';
import { notifyAdmins } from '#server/modules/notifications/index.ts';
import type { Services } from '#server/services.ts';
import { apiKeyHash, presentApiKey } from './api-keys.ts';

const DAY_MS = 86_400_000;

/**
 * Makes an API key: random 256 bits behind API_KEY_PREFIX, in the reply and nowhere else.
 *
 * @throws {AppError} `forbidden` when the acting admin is not one any more
 */
export async function createApiKey(
  tx: Tx,
  { clock }: Pick<Services, 'clock'>,
  by: CommandContext,
  { name, scopes, days }: RouteArguments<'adminCreateApiKey'>['body'],
): Promise<RouteReply<'adminCreateApiKey'>> {
  const now = clock.now();
  await lockMaker(tx, by);
  const key = `${API_KEY_PREFIX}${newToken()}`;
  const row = {
    id: newId(now.getTime()),
    name,
    scopes: [...new Set(scopes)],
    last4: key.slice(-4),
    createdAt: now,
    expiresAt: new Date(now.getTime() + days * DAY_MS),
  };
  await tx
    .insertInto('apiKey')
    .values({ ...row, tokenHash: apiKeyHash(key), createdBy: by.actor.id })
    .execute();
  recordAudit(tx, {
    by,
    action: 'api_key.created',
    subjectType: 'api_key',
    subjectId: row.id,
    details: { name, scopes: row.scopes, days },
  });
  notifyAdmins(tx, {
    kind: 'api-key-created',
    message: `${by.actor.name} created the API key “${name}”, which works for ${days} days.`,
    at: now,
  });
  publish(tx, { topic: 'people', userId: null });
  const made = { ...row, createdBy: by.actor.name, lastUsedAt: null, revokedAt: null };
  return { ...presentApiKey(made, now), key };
}

/** Whoever ends their rights comes before this, or finds the key and revokes it (`revokeKeysOf`). */
async function lockMaker(tx: Tx, by: CommandContext): Promise<void> {
  const maker = await tx
    .selectFrom('appUser')
    .select('id')
    .where('id', '=', by.actor.id)
    .where('role', '=', 'admin')
    .where('deactivatedAt', 'is', null)
    .forShare()
    .executeTakeFirst();
  if (maker === undefined) throw new AppError('forbidden');
}
