import { z } from 'zod';
import { InvariantError } from '#server/lib/errors.ts';

/**
 * Encodes a reply through its schema, so that nothing leaves the server that the contract does not
 * name. Extra fields are dropped; a bigint or a missing field is a bug that answers 500 (inside a
 * command: before the transaction commits).
 */
export function encodeReply(schema: z.ZodType, reply: unknown, operation: string): unknown {
  const encoded = z.safeEncode(schema, reply);
  if (encoded.success) return encoded.data;
  const faults = encoded.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
  throw new InvariantError(`The reply of ${operation} breaks its contract: ${faults.join('; ')}`);
}
