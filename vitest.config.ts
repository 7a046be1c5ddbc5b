import { defineConfig } from 'vitest/config';

/** The longest seeded property or race test; anything slower is hanging. */
const SERVER_TEST_TIMEOUT_MS = 60_000;

export default defineConfig({
  test: {
    // Two cores: more workers only take turns on them and on the one PostgreSQL.
    maxWorkers: 2,
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
        },
      },
      {
        test: {
          name: 'integration',
          include: ['server/**/*.test.ts', 'scripts/**/*.test.ts', 'bench/chaos/*.test.ts'],
          pool: 'forks',
          globalSetup: ['test/global-setup.ts'],
          testTimeout: SERVER_TEST_TIMEOUT_MS,
          hookTimeout: SERVER_TEST_TIMEOUT_MS,
        },
      },
    ],
  },
});
