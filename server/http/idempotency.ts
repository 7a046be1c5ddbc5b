import { createHash } from 'node:crypto';
import { CompiledQuery, sql } from 'kysely';
import { writtenAtCommit } from '#server/db/tx.ts';
import type { Tx } from '#server/db/tx.ts';
import { AppError, invariant, InvariantError } from '#server/lib/errors.ts';
import type { ValidInput } from './input.ts';

/** Printable ASCII without spaces; our own client sends a UUID. */
const KEY_PATTERN = /^[\u0021-\u007e]{8,200}$/;

/** Data that identifies a request. */
export interface KeyedRequest {
  /** Owner of the key; two people may use the same one. */
  principalId: string;
  key: string;
  operation: string;
  hash: Buffer;
}

/**
 * Key of a money request, with the request that first used it.
 *
 * @throws AppError idempotency_key_required, or invalid_request for a malformed key
 */
export function keyedRequest(
  headers: Headers,
  principalId: string,
  operation: string,
  input: ValidInput,
): KeyedRequest {
  const key = headers.get('idempotency-key');
  if (key === null || key === '') throw new AppError('idempotency_key_required');
  if (!KEY_PATTERN.test(key)) {
    throw new AppError('invalid_request', {}, [
      { path: 'Idempotency-Key', message: 'Use 8 to 200 printable characters without spaces' },
    ]);
  }
  return { principalId, key, operation, hash: hashRequest(operation, input) };
}

export function hashRequest(operation: string, input: ValidInput): Buffer {
  return createHash('sha256').update(operation).update('\n').update(canonicalJson(input)).digest();
}

/** JSON with the keys of every object sorted, so that equal requests have equal bytes. */
function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}

export interface StoredReply {
  status: number;
  /** The stored JSON reply. */
  reply: unknown;
}

/**
 * Claims the key as the first insert of the command's transaction. The unique key decides between
 * two concurrent requests: the second waits here until the first has committed (then it gets the
 * same reply) or rolled back (then it runs). Returns null when the command must run.
 *
 * A stored reply is locked, so that the COMMIT of a transaction that only read it waits for the standby, too. The
 * database may have it from before a restart, when the first request still waited.
 *
 * @throws AppError idempotency_key_reused when the key belongs to another request
 */
export async function claimKey(tx: Tx, request: KeyedRequest): Promise<StoredReply | null> {
  const { principalId, key, operation, hash } = request;
  const { numAffectedRows } = await sql`
    INSERT INTO idempotency_key (principal_id, key, route, request_hash)
    VALUES (${principalId}, ${key}, ${operation}, ${hash}) ON CONFLICT DO NOTHING`.execute(tx);
  if (numAffectedRows === 1n) return null;
  const stored = await tx
    .selectFrom('idempotencyKey')
    .select(['requestHash', 'status', 'reply'])
    .where('principalId', '=', principalId)
    .where('key', '=', key)
    .forNoKeyUpdate()
    .executeTakeFirst();
  // Only the retention sweep can have deleted it between the two statements.
  if (stored === undefined) throw new AppError('unavailable');
  if (!stored.requestHash.equals(hash)) throw new AppError('idempotency_key_reused');
  return { status: invariant(stored.status, 'a stored key has its status'), reply: stored.reply };
}

/** Stores the reply with the key, at the COMMIT; both exist only if the change does. */
export function storeReply(tx: Tx, request: KeyedRequest, stored: StoredReply): void {
  addReply(tx, { ...request, status: stored.status, json: JSON.stringify(stored.reply) });
}

const addReply = writtenAtCommit<KeyedRequest & { status: number; json: string }>(
  'idempotency_key',
  (replies) => {
    if (replies.length > 1) throw new InvariantError('a request has one reply');
    const { principalId, key, status, json } = invariant(replies[0], 'a reply was added');
    return CompiledQuery.raw(
      'UPDATE idempotency_key SET status = $3, reply = $4 WHERE principal_id = $1 AND key = $2',
      [principalId, key, status, json],
    );
  },
);
