import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { LongestFirst } from './test/longest-first.ts';
import { memoryFolder } from './scripts/memory-folder.ts';

/** Ends what hangs, and measures nothing: a busy machine makes a test of ten seconds take two minutes. */
const TIMEOUT_MS = 300_000;

// Compiled code is kept for the workers and for every process that a test starts.
process.env['NODE_COMPILE_CACHE'] ??= join(tmpdir(), `purser-compiled-${process.getuid?.() ?? 0}`);

const inMemory = memoryFolder();
if (inMemory !== undefined) process.env['TMPDIR'] = inMemory;

/**
 * Tests that start, kill and restart processes, and wait for them. `npm test` runs them next to everything
 * else, because they leave the processor idle.
 */
const WAITING = [
  'bench/chaos/*.test.ts',
  'bench/soak/*.test.ts',
  'server/db/connection-watch.test.ts',
  'server/db/embedded/embedded.test.ts',
  'server/db/foreign-database.test.ts',
  'server/modules/ledger/race.test.ts',
  'server/modules/payroll/post-payroll-kill.test.ts',
  'server/programs/main.test.ts',
  'server/providers/files/s3-process.test.ts',
  'server/system-tests/database-restart.test.ts',
  'server/system-tests/*-process.test.ts',
  'server/system-tests/server-kill.test.ts',
  'server/system-tests/two-processes.test.ts',
];

/** Test of what the bench makes, which needs PostgreSQL unlike the others of its folder. */
const BENCH_COMPANIES = 'bench/sound-companies.test.ts';

/** The server's tests, on a real PostgreSQL. */
const SERVER = {
  pool: 'forks' as const,
  // The server's modules are loaded once for each worker. They keep nothing of an app or a database
  // (several of each live in one test file); what a test fakes, it puts back.
  isolate: false,
  // Node loads the modules itself, as it does in production, with its own cache of compiled code.
  experimental: { viteModuleRunner: false },
  globalSetup: ['test/global-setup.ts'],
  testTimeout: TIMEOUT_MS,
  hookTimeout: TIMEOUT_MS,
};

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
          exclude: [BENCH_COMPANIES],
          pool: 'threads',
          isolate: false,
          testTimeout: TIMEOUT_MS,
        },
      },
      {
        test: {
          name: 'integration',
          include: [
            'server/**/*.test.ts',
            'scripts/**/*.test.ts',
            'bench/model/*.test.ts',
            BENCH_COMPANIES,
          ],
          exclude: WAITING,
          ...SERVER,
        },
      },
      {
        test: {
          name: 'waiting',
          include: WAITING,
          ...SERVER,
          globalSetup: [...SERVER.globalSetup, 'test/bundle-programs.ts'],
        },
      },
    ],
  },
});
