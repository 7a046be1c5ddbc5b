import pino from 'pino';
import type { Logger } from 'pino';

export type Log = Logger;

/**
 * One JSON line an event on standard output. What is logged is named field by field; bodies,
 * cookies and personal data are never handed in. The redaction below is a second net, not the first.
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

/** For tests and commands that print their own words. */
export const silentLog: Log = pino({ level: 'silent' });

/**
 * Name, message, code and stack, and the same of the cause. Nothing else: errors of libraries carry
 * whole connections and requests about with them.
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
