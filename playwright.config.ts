import { defineConfig } from '@playwright/test';
import { findChromium } from './scripts/chromium.ts';

/** Chosen by `npm test`, so that the server of one run never meets that of another. */
const PORT = process.env['PURSER_E2E_PORT'] ?? '3117';
const BASE_URL = `http://127.0.0.1:${PORT}`;
const START_TIMEOUT_MS = 180_000;

export default defineConfig({
  testDir: 'e2e',
  testMatch: '**/*.test.ts',
  outputDir: 'test-results',
  // Two cores; tests of one file share nothing and may run side by side.
  workers: 2,
  fullyParallel: true,
  forbidOnly: true,
  // A flaky test is a bug: none is run twice.
  retries: 0,
  timeout: 60_000,
  reporter: [
    ['list'],
    ...(process.env['PURSER_E2E_REPORT']
      ? ([['json', { outputFile: process.env['PURSER_E2E_REPORT'] }]] as const)
      : []),
  ],
  use: {
    baseURL: BASE_URL,
    browserName: 'chromium',
    launchOptions: {
      executablePath: findChromium() ?? '/usr/bin/chromium',
      // Chromium's sandbox refuses root.
      args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
    },
    locale: 'en-US',
    timezoneId: 'America/New_York',
    screenshot: 'only-on-failure',
    trace: 'retain-on-failure',
  },
  webServer: {
    // The command of `npm start` on a fresh data folder, with its demo company.
    command: 'node scripts/e2e-server.ts',
    url: `${BASE_URL}/readyz`,
    env: { PORT },
    timeout: START_TIMEOUT_MS,
    gracefulShutdown: { signal: 'SIGTERM', timeout: 20_000 },
    stdout: 'ignore',
    stderr: 'pipe',
  },
});
