import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { LongestFirst } from './test/longest-first.ts';
import { memoryFolder } from './scripts/memory-folder.ts';

/** The longest seeded property or race test; anything slower is hanging. */
const SERVER_TEST_TIMEOUT_MS = 60_000;

// Compiled code is kept for the workers and for every process that a test starts.
process.env['NODE_COMPILE_CACHE'] ??= join(tmpdir(), `purser-compiled-${process.getuid?.() ?? 0}`);

const inMemory = memoryFolder();
if (inMemory !== undefined) process.env['TMPDIR'] = inMemory;

/** Tests that replace a module (`vi.mock`): in workers of their own, which have not loaded it yet. */
const REPLACING_MODULES = ['server/providers/files/s3-process.test.ts'];

export default defineConfig({
  test: {
    // Two cores: a third worker makes a busy machine miss the time limits that some tests are about.
    maxWorkers: 2,
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        test: {
          name: 'unit',
          include: [
            'contract/**/*.test.ts',
            'web/**/*.test.{ts,tsx}',
            'test/*.test.ts',
            'bench/*.test.ts',
          ],
          pool: 'threads',
          isolate: false,
        },
      },
      {
        test: {
          name: 'integration',
          include: ['server/**/*.test.ts', 'scripts/**/*.test.ts', 'bench/chaos/*.test.ts'],
          exclude: REPLACING_MODULES,
          pool: 'forks',
          // The server's modules are loaded once for each worker. They keep nothing of an app or a database
          // (several of each live in one test file); what a test fakes, it puts back.
          isolate: false,
          globalSetup: ['test/global-setup.ts'],
          testTimeout: SERVER_TEST_TIMEOUT_MS,
          hookTimeout: SERVER_TEST_TIMEOUT_MS,
        },
      },
      {
        test: { name: 'replacing', include: REPLACING_MODULES, pool: 'forks' },
      },
    ],
  },
});
