import { errorCode } from './start-error.ts';

/** Beginnings or whole PostgreSQL and system codes that mean "not now": nothing was changed. */
const UNAVAILABLE = [
  '08', // connection lost or refused
  '40001', // still a serialization failure after every retry
  '40P01', // still a deadlock
  '53', // out of connections, memory or disk
  '55P03', // waited too long for a lock
  '57', // statement timed out, or the server is shutting down
  'FILES_UNAVAILABLE', // the file store refused or could not be reached
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
];

/** pg says these without a code. */
const UNAVAILABLE_SENTENCES = [
  'timeout exceeded when trying to connect',
  'Connection terminated',
  'Client has encountered a connection error',
];

/** Whether an error says that something cannot be reached or is overloaded, and nothing else. */
export function isUnavailable(error: unknown): boolean {
  const code = errorCode(error);
  if (code !== undefined) return UNAVAILABLE.some((known) => code.startsWith(known));
  return (
    error instanceof Error &&
    UNAVAILABLE_SENTENCES.some((sentence) => error.message.startsWith(sentence))
  );
}
