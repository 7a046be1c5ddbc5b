import pino from 'pino';
import type { Log } from '#server/lib/log.ts';

/** A log that keeps its lines, to be looked into. */
export function createLogLines(): { log: Log; lines: Record<string, unknown>[] } {
  const lines: Record<string, unknown>[] = [];
  const log = pino(
    { base: null, formatters: { level: (level) => ({ level }) } },
    { write: (line: string) => void lines.push(JSON.parse(line) as Record<string, unknown>) },
  );
  return { log, lines };
}
