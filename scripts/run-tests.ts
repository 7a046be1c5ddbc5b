import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { freePort } from '#server/lib/free-port.ts';
import { memoryFolder } from './memory-folder.ts';
import { buildWeb } from './build-web.ts';
import { ensureChromium } from './chromium.ts';
import { measureScreens } from './lighthouse.ts';

/**
 * `npm test`: every check, cheapest first, stopping at the first stage that fails. The last line is
 * the sum: each test counts as one, and so does each check that is not made of tests.
 * `PURSER_TEST=full` is read by the tests that have a longer form.
 */
interface Count {
  passed: number;
  failed: number;
}

interface Stage {
  name: string;
  run(): Promise<Count>;
}

/** Everything in every look, and Lighthouse: `npm run test:full`. */
const IS_FULL = process.env['PURSER_TEST'] === 'full';
const ROOT = join(import.meta.dirname, '..');
const BIN = join(ROOT, 'node_modules/.bin');
const reports = mkdtempSync(join(tmpdir(), 'purser-reports-'));

const STAGES: Stage[] = [
  { name: 'Types', run: () => check('tsc', ['-p', '.']) },
  { name: 'Lint', run: () => check('oxlint', ['--type-aware', '--deny-warnings']) },
  { name: 'Format', run: () => check('oxfmt', ['--check', '.']) },
  { name: 'Unused code', run: () => check('knip', ['--no-progress']) },
  { name: 'Unit and integration tests', run: runVitest },
  { name: 'Web build', run: () => attempt(async () => void (await buildWeb())) },
  { name: 'End-to-end tests', run: runPlaywright },
  ...(IS_FULL ? [{ name: 'Lighthouse', run: runLighthouse }] : []),
];

async function runVitest(): Promise<Count> {
  const report = join(reports, 'vitest.json');
  const code = await execute('vitest', [
    'run',
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${report}`,
  ]);
  const { numPassedTests, numFailedTests } = readReport(report);
  return counted(code, numPassedTests, numFailedTests);
}

async function runPlaywright(): Promise<Count> {
  const browser = await attempt(async () => void ensureChromium());
  if (browser.failed > 0) return browser;
  const report = join(reports, 'playwright.json');
  const code = await execute('playwright', ['test', '--pass-with-no-tests'], {
    PURSER_E2E_REPORT: report,
    PURSER_E2E_PORT: String(await freePort()),
    // Of the server under test, and of the browsers.
    TMPDIR: memoryFolder() ?? tmpdir(),
  });
  const stats = readReport(report)['stats'];
  const { expected, unexpected, flaky } = isRecord(stats) ? stats : {};
  return counted(code, expected, toNumber(unexpected) + toNumber(flaky));
}

async function runLighthouse(): Promise<Count> {
  let count: Count = { passed: 0, failed: 0 };
  const ran = await attempt(async () => void (count = await measureScreens()));
  return ran.failed > 0 ? ran : count;
}

/** A stage that failed outside any single test (a file that does not load) counts as one failure. */
function counted(exitCode: number, passed: unknown, failed: unknown): Count {
  const failures = toNumber(failed);
  return { passed: toNumber(passed), failed: exitCode === 0 ? failures : Math.max(failures, 1) };
}

async function check(tool: string, args: string[]): Promise<Count> {
  return (await execute(tool, args)) === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 };
}

async function attempt(work: () => Promise<void>): Promise<Count> {
  try {
    await work();
    return { passed: 1, failed: 0 };
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    return { passed: 0, failed: 1 };
  }
}

/** Runs one of the installed tools in the open and answers its exit code. */
function execute(tool: string, args: string[], env: NodeJS.ProcessEnv = {}): Promise<number> {
  const path = `${BIN}${delimiter}${process.env['PATH'] ?? ''}`;
  const child = spawn(join(BIN, tool), args, {
    cwd: ROOT,
    stdio: 'inherit',
    env: { ...process.env, ...env, PATH: path },
  });
  const passOn = () => child.kill('SIGTERM');
  process.once('SIGTERM', passOn);
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => {
      process.off('SIGTERM', passOn);
      resolve(code ?? 1);
    });
  });
}

function readReport(path: string): Record<string, unknown> {
  const report: unknown = existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : {};
  return isRecord(report) ? report : {};
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

function toNumber(value: unknown): number {
  return typeof value === 'number' ? value : 0;
}

function seconds(sinceMs: number): string {
  return `${((Date.now() - sinceMs) / 1000).toFixed(1)} s`;
}

const total: Count = { passed: 0, failed: 0 };
const startedMs = Date.now();
for (const [index, stage] of STAGES.entries()) {
  console.log(`\n[${index + 1}/${STAGES.length}] ${stage.name}`);
  const stageStartedMs = Date.now();
  const { passed, failed } = await stage.run();
  total.passed += passed;
  total.failed += failed;
  console.log(
    `[${index + 1}/${STAGES.length}] ${stage.name}: ${failed === 0 ? 'passed' : 'FAILED'} in ${seconds(stageStartedMs)}`,
  );
  if (failed > 0) break;
}
rmSync(reports, { recursive: true, force: true });
console.log(`\nAll stages that ran took ${seconds(startedMs)}.`);
console.log(`${total.passed} passed, ${total.failed} failed`);
process.exitCode = total.failed === 0 ? 0 : 1;
