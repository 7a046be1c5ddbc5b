import { errorCode } from './start-error.ts';

/**
 * Beginnings or whole PostgreSQL and system codes for a temporary failure. Nothing was changed.
 * Only if the connection was lost at COMMIT it is unknown, and the idempotency key answers the
 * retry.
 */
const UNAVAILABLE = [
  '08', // connection lost or refused
  '25006', // a standby that cannot be written: the database is being moved
  '25P03', // the transaction was ended, because this process stood still in it
  '40001', // still a serialization failure after every retry
  '40P01', // still a deadlock
  '53', // out of connections, memory or disk
  '55P03', // waited too long for a lock
  '57', // statement timed out, or the server is starting or shutting down
  'DATABASE_UNAVAILABLE', // no answer
  'FILES_UNAVAILABLE', // the file store refused or could not be reached
  'EAI_AGAIN',
  'ECONNABORTED',
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTDOWN',
  'EHOSTUNREACH',
  'ENETDOWN',
  'ENETUNREACH',
  'ENOTFOUND',
  'EPIPE',
  'ETIMEDOUT',
];

/** pg reports these without a code. */
const UNAVAILABLE_SENTENCES = [
  'timeout exceeded when trying to connect',
  'timeout expired',
  'Connection terminated',
  'Client has encountered a connection error',
  'Client was closed and is not queryable',
  'Cannot use a pool after calling end on the pool',
];

/** True if an error means only that something cannot be reached or is overloaded. */
export function isUnavailable(error: unknown): boolean {
  const code = errorCode(error);
  if (code !== undefined) return UNAVAILABLE.some((known) => code.startsWith(known));
  return (
    error instanceof Error &&
    UNAVAILABLE_SENTENCES.some((sentence) => error.message.startsWith(sentence))
  );
}
