import type { Reader, Tx } from '#server/db/tx.ts';
import { invariant } from '#server/lib/errors.ts';
import type { Services } from '#server/services.ts';
import { unlessDestroyed } from '#server/vault/vault.ts';

type Vaulted = Services['vault'];

/** Encrypts a secret under the data key of the admin who created it. */
export function sealSecret(
  tx: Tx,
  vault: Vaulted,
  { endpointId, ownerId, secret }: { endpointId: string; ownerId: string; secret: string },
): Promise<Buffer> {
  return vault.seal(tx, ownerId, placeOf(endpointId), secret);
}

/**
 * Secrets that sign for an endpoint at that time, the current one first; null if the data key of
 * its admin was destroyed, so that an admin must rotate it.
 */
export async function openSecrets(
  reader: Reader,
  vault: Vaulted,
  { endpointId, at }: { endpointId: string; at: Date },
): Promise<string[] | null> {
  const row = await reader
    .selectFrom('webhookEndpoint')
    .select(['secretEncrypted', 'secretOwner'])
    .select(['formerSecretEncrypted', 'formerSecretOwner', 'formerSecretUntil'])
    .where('id', '=', endpointId)
    .executeTakeFirst();
  const kept = invariant(row, 'a message has its address');
  const open = async (ownerId: string, sealed: Buffer) => {
    const secret = await unlessDestroyed(vault.open(reader, ownerId, placeOf(endpointId), sealed));
    return secret?.toString() ?? null;
  };
  const current = await open(kept.secretOwner, kept.secretEncrypted);
  if (current === null) return null;
  const { formerSecretEncrypted, formerSecretOwner, formerSecretUntil } = kept;
  const isOver = formerSecretUntil === null || formerSecretUntil <= at;
  if (isOver || formerSecretOwner === null || formerSecretEncrypted === null) return [current];
  const former = await open(formerSecretOwner, formerSecretEncrypted);
  return former === null ? [current] : [current, former];
}

/** One place for both, because the former one moves from one column to the other unchanged. */
function placeOf(endpointId: string) {
  return { table: 'webhook_endpoint', column: 'secret', rowId: endpointId };
}
