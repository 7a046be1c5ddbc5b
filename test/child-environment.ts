import { join } from 'node:path';

/**
 * Parts of our environment for a Node process started by a test: where its programs are, and
 * the folder of compiled code (vitest.config.ts), without which each start compiles all of the
 * server again. That of bundled programs goes when they go. Nothing else of the machine's settings,
 * which are not the test's.
 */
export function childEnvironment(): Record<string, string> {
  const { PATH = '', NODE_COMPILE_CACHE, PURSER_TEST_PROGRAMS: programs } = process.env;
  const compiled = programs === undefined ? NODE_COMPILE_CACHE : join(programs, 'compiled');
  return { PATH, ...(compiled !== undefined && { NODE_COMPILE_CACHE: compiled }) };
}
