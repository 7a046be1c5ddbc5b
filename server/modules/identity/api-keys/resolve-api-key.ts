import { API_KEY_PREFIX } from '#contract/api-keys.ts';
import { prepared } from '#server/db/statement-names.ts';
import { withTx } from '#server/db/tx.ts';
import type { Actor } from '#server/lib/actor.ts';
import { apiKeyHash } from './api-keys.ts';
import type { Identity } from '../identity.ts';
import { actorOf } from '#server/lib/actor.ts';

const MINUTE_MS = 60_000;
/** Form of a key: its prefix, and 32 bytes as base64url. */
const KEY_LENGTH = API_KEY_PREFIX.length + 43;

interface KeyBearer {
  actor: Actor & Required<Pick<Actor, 'apiKey'>>;
  scopes: readonly string[];
}

/**
 * The actor of an API key; null for one that is made up, revoked or expired, or whose maker is no
 * administrator any more. One query, and at most once a minute one more that notes the time.
 */
export async function resolveApiKey(
  { db, services }: Pick<Identity, 'db' | 'services'>,
  key: string,
): Promise<KeyBearer | null> {
  if (!key.startsWith(API_KEY_PREFIX) || key.length !== KEY_LENGTH) return null;
  const now = services.clock.now();
  const row = await db
    .selectFrom('apiKey')
    .innerJoin('appUser', 'appUser.id', 'apiKey.createdBy')
    .modifyFront(prepared)
    .select(['appUser.id', 'appUser.role', 'appUser.name', 'scopes', 'lastUsedAt'])
    .select(['apiKey.id as keyId', 'apiKey.name as keyName', 'dailyLimitMinor'])
    .where('tokenHash', '=', apiKeyHash(key))
    .where('revokedAt', 'is', null)
    .where('expiresAt', '>', now)
    .where('appUser.role', '=', 'admin')
    .where('appUser.deactivatedAt', 'is', null)
    .executeTakeFirst();
  if (row === undefined) return null;
  const { keyId, keyName, lastUsedAt, scopes, dailyLimitMinor } = row;
  if (lastUsedAt === null || now.getTime() - lastUsedAt.getTime() >= MINUTE_MS) {
    await withTx(db, (tx) =>
      tx.updateTable('apiKey').set({ lastUsedAt: now }).where('id', '=', keyId).execute(),
    );
  }
  return {
    actor: {
      ...actorOf({ ...row, isAlsoEmployee: false }),
      apiKey: { id: keyId, name: keyName, dailyLimitMinor },
    },
    scopes,
  };
}
