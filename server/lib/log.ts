import pino from 'pino';
import type { Logger } from 'pino';

export type Log = Logger;

/**
 * One JSON line an event on standard output. Every logged field is named explicitly; bodies,
 * cookies and personal data are never passed in. The redaction below is only a second protection.
 */
export function createLog(level: string): Log {
  return pino({
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
    serializers: { err: describeError },
    redact: {
      paths: ['password', 'token', 'cookie', 'authorization', '*.password', '*.token'],
      censor: '[redacted]',
    },
  });
}

/** For tests and commands that print their own output. */
export const silentLog: Log = pino({ level: 'silent' });

/**
 * Name, message, code and stack, also of the cause. Nothing else, because errors of libraries
 * contain whole connections and requests.
 */
function describeError(error: unknown): unknown {
  if (!(error instanceof Error)) return String(error);
  const code = 'code' in error ? error.code : undefined;
  return {
    type: error.name,
    message: error.message,
    ...(code !== undefined && { code }),
    stack: error.stack,
    ...(error.cause !== undefined && { cause: describeError(error.cause) }),
  };
}
