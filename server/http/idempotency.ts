import { createHash } from 'node:crypto';
import { CompiledQuery } from 'kysely';
import { writtenAtCommit } from '#server/db/at-commit.ts';
import { fixedStatement } from '#server/db/fixed-statement.ts';
import type { Tx } from '#server/db/tx.ts';
import { AppError, invariant, InvariantError } from '#server/lib/errors.ts';
import type { ValidInput } from './validate.ts';

/** Printable ASCII without spaces; a UUID is what our own client sends. */
const KEY_PATTERN = /^[\u0021-\u007e]{8,200}$/;

/** What makes two requests the same one. */
export interface KeyedRequest {
  /** Whose key it is; two people may use the same one. */
  principalId: string;
  key: string;
  operation: string;
  hash: Buffer;
}

/**
 * The key of a money request, with what it was first used for.
 *
 * @throws AppError idempotency_key_required, or invalid_request for one that cannot be a key
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

/** JSON with the keys of every object in order, so that equal requests give equal bytes. */
function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}

export interface StoredReply {
  status: number;
  /** The JSON that was sent. */
  reply: unknown;
}

/**
 * Claims the key as the first insert of the command's transaction: the unique key decides between
 * two at once, since the second waits here until the first has committed (then it gets its reply)
 * or rolled back (then it goes on itself). Answers null when the command is to be run.
 *
 * @throws AppError idempotency_key_reused when the key stands for another request
 */
export async function claimKey(tx: Tx, request: KeyedRequest): Promise<StoredReply | null> {
  const { numAffectedRows } = await insertKey(tx, request);
  if (numAffectedRows === 1n) return null;
  const stored = await tx
    .selectFrom('idempotencyKey')
    .select(['requestHash', 'status', 'reply'])
    .where('principalId', '=', request.principalId)
    .where('key', '=', request.key)
    .executeTakeFirst();
  // Only the retention sweep can have taken it away between the two statements.
  if (stored === undefined) throw new AppError('unavailable');
  if (!stored.requestHash.equals(request.hash)) throw new AppError('idempotency_key_reused');
  return { status: invariant(stored.status, 'a stored key has its status'), reply: stored.reply };
}

const insertKey = fixedStatement((reader, { principalId, key, operation, hash }: KeyedRequest) =>
  reader
    .insertInto('idempotencyKey')
    .values({ principalId, key, route: operation, requestHash: hash })
    .onConflict((conflict) => conflict.doNothing()),
);

/** Stores the reply with the key, at the COMMIT; both are there only if the change is. */
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
