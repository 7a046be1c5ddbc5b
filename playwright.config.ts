import { defineConfig } from '@playwright/test';
import { BASE_URL, DATA_DIR, PORT } from './e2e/support/place.ts';
import { findChromium } from './scripts/chromium.ts';

const START_TIMEOUT_MS = 180_000;

export default defineConfig({
  testDir: 'e2e',
  testMatch: '**/*.test.ts',
  outputDir: 'test-results',
  // Node removes types by itself. Playwright would compile each file by Babel: 9 s of processor time on a clean clone.
  build: { external: ['**/*.ts'] },
  // One more than cores: a test often waits for an animation, a pause in typing or the server. Tests of one file
  // share nothing and may run side by side.
  workers: 3,
  fullyParallel: true,
  forbidOnly: true,
  // A flaky test is a bug: none is run twice.
  retries: 0,
  // Both end what hangs, and measure nothing: on a machine that others use as well, a test that takes
  // 6 s may wait for a processor for two minutes, and a job of the server for half a minute. What has to be quick is
  // measured by `npm run bench`.
  timeout: 480_000,
  expect: { timeout: 120_000 },
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
      // There is no graphics card to help: without this one process per browser draws for it.
      // A new page runs in the process of the page that `e2e/support/contexts.ts` keeps open.
      args: [
        '--disable-gpu',
        '--process-per-site',
        // A test ends before code that runs often is worth compiling again: 10 % of the browser's time.
        '--js-flags=--no-opt --no-maglev',
        // V8 then finds the scripts of the visit before compiled, and does not compile them while they arrive. 5 % of the
        // browser's time. Chromium adds this to the features that Playwright switches off.
        '--disable-features=ScriptStreaming',
        ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
      ],
    },
    locale: 'en-US',
    timezoneId: 'America/New_York',
    // Files whose tests are about what moves ask for it (`WITH_MOTION`).
    contextOptions: { reducedMotion: 'reduce' },
    screenshot: 'only-on-failure',
    // Recording every test costs about a tenth of the time: `--trace on` where one is looked into.
    trace: 'off',
  },
  webServer: {
    // The command of `npm start` on a fresh data folder, with its demo company.
    command: 'node scripts/e2e-server.ts',
    url: `${BASE_URL}/readyz`,
    env: { PORT, PURSER_DATA: DATA_DIR },
    // While writing tests: `PORT=3117 PURSER_DATA=/tmp/purser-e2e-3117/data node scripts/e2e-server.ts`
    // in another window. `npm test` takes a port on which nobody listens.
    reuseExistingServer: true,
    timeout: START_TIMEOUT_MS,
    gracefulShutdown: { signal: 'SIGTERM', timeout: 20_000 },
    stdout: 'ignore',
    stderr: 'pipe',
  },
});
