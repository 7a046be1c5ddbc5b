import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import {
  closeSync,
  existsSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import type { RouteSpec } from '#contract/routes/define.ts';
import { freePort } from '#server/lib/free-port.ts';
import { memoryFolder } from './memory-folder.ts';
import { ensureChromium } from './chromium.ts';
import {
  endOf,
  readPlaywrightReport,
  readVitestReport,
  type Reported,
  summarize,
} from './failed-tests.ts';
import { measureScreens } from './lighthouse.ts';

/**
 * `npm test`: every check, in lanes that run side by side. Tests that restart processes leave the
 * processor idle, so they start with the cheap checks and the web build; once those have passed, the other tests and
 * the browser's start. After a stage has failed no further one starts. A stage's output is printed whole, at its end.
 * Failures are repeated at the very end. The last line is the sum: each test counts as one, and so does each check
 * that is not made of tests.
 * `PURSER_TEST=full` is read by the tests that have a longer form.
 */
interface Count {
  passed: number;
  failed: number;
}

interface Outcome extends Reported {
  output: string;
}

interface Stage {
  name: string;
  run(): Promise<Outcome>;
}

/** Everything in every look, and Lighthouse: `npm run test:full`. */
const IS_FULL = process.env['PURSER_TEST'] === 'full';
const ROOT = join(import.meta.dirname, '..');
const BIN = join(ROOT, 'node_modules/.bin');
const reports = mkdtempSync(join(tmpdir(), 'purser-reports-'));
/** Names of the operations that tests have compared with their declared live topics. */
const compared = mkdtempSync(join(reports, 'compared-'));

const CHECKS: Stage[] = [
  // Several checkers would look at the same types several times, next to tests that need the processor.
  { name: 'Types', run: () => check('tsc', ['-p', '.', '--checkers', '1']) },
  { name: 'Lint', run: () => check('oxlint', ['--type-aware', '--deny-warnings']) },
  { name: 'Format', run: () => check('oxfmt', ['--check', '.']) },
  { name: 'Unused code', run: () => check('knip', ['--no-progress']) },
];
const WAITING: Stage[] = [
  {
    name: 'Tests that wait',
    run: () => runVitest('waiting', ['--project=waiting', '--maxWorkers=1']),
  },
];
const TESTS: Stage[] = [{ name: 'Unit and integration tests', run: runOthers }];
// In a process of its own: Vite sets NODE_ENV to production, which the other stages must not inherit.
const BUILD: Stage[] = [{ name: 'Web build', run: () => check('node', ['scripts/build-web.ts']) }];
const BROWSER: Stage[] = [{ name: 'End-to-end tests', run: runPlaywright }];
/** Measures times, and so runs alone. */
const LIGHTHOUSE: Stage[] = IS_FULL ? [{ name: 'Lighthouse', run: runLighthouse }] : [];

async function runVitest(
  name: string,
  args: string[],
  env: NodeJS.ProcessEnv = {},
): Promise<Outcome> {
  const report = join(reports, `${name}.json`);
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  const { code, output } = await execute('vitest', ['run', ...args, ...reporters], env);
  return reported(code, output, report, readVitestReport);
}

/** Runs the tests that do not wait, and compares the live topics of every command, also where a test failed. */
async function runOthers(): Promise<Outcome> {
  const env = { PURSER_COMPARED: compared };
  const tests = await runVitest('others', ['--project=!waiting'], env);
  const topics = await attempt(checkCompared);
  return {
    passed: tests.passed + topics.passed,
    failed: tests.failed + topics.failed,
    failures: [...tests.failures, ...topics.failures],
    output: tests.output + topics.output,
  };
}

/** @throws Error that names each operation with declared live topics that no test has called over HTTP */
async function checkCompared(): Promise<void> {
  const { ROUTES } = await import('#contract/routes/all.ts');
  const notes = readdirSync(compared).map((file) => readFileSync(join(compared, file), 'utf8'));
  const names = new Set(notes.flatMap((text) => text.split('\n')));
  const left = Object.entries<RouteSpec>(ROUTES)
    .filter(([, { changes, mayChange }]) =>
      [changes, mayChange].some((topics) => Object.keys(topics ?? {}).length > 0),
    )
    .map(([name]) => name)
    .filter((name) => !names.has(name));
  if (left.length > 0) throw new Error(`No test calls over HTTP: ${left.join(', ')}`);
}

async function runPlaywright(): Promise<Outcome> {
  const browser = await attempt(async () => void ensureChromium());
  if (browser.failed > 0) return browser;
  const report = join(reports, 'playwright.json');
  const { code, output } = await execute('playwright', ['test', '--pass-with-no-tests'], {
    PURSER_E2E_REPORT: report,
    PURSER_E2E_PORT: String(await freePort()),
    // Folders of the server under test and of the browsers.
    TMPDIR: memoryFolder() ?? tmpdir(),
  });
  return reported(code, output, report, readPlaywrightReport);
}

async function runLighthouse(): Promise<Outcome> {
  let count: Count = { passed: 0, failed: 0 };
  const ran = await attempt(async () => void (count = await measureScreens()));
  return ran.failed > 0 ? ran : { ...ran, ...count };
}

/** Outcome by the report of a tool. One that failed outside any single test counts as one failure. */
function reported(
  exitCode: number,
  output: string,
  path: string,
  read: (report: unknown) => Reported,
): Outcome {
  const { passed, failed, failures } = existsSync(path)
    ? read(JSON.parse(readFileSync(path, 'utf8')))
    : { passed: 0, failed: 0, failures: [] };
  if (exitCode === 0 && failed === 0) return { passed, failed, failures, output };
  return {
    passed,
    failed: Math.max(failed, 1),
    failures: failures.length > 0 ? failures : [endOf(output)],
    output,
  };
}

async function check(tool: string, args: string[]): Promise<Outcome> {
  const { code, output } = await execute(tool, args);
  return code === 0
    ? { passed: 1, failed: 0, failures: [], output }
    : { passed: 0, failed: 1, failures: [endOf(output)], output };
}

async function attempt(work: () => Promise<void>): Promise<Outcome> {
  try {
    await work();
    return { passed: 1, failed: 0, failures: [], output: '' };
  } catch (error) {
    const output = error instanceof Error ? error.message : String(error);
    return { passed: 0, failed: 1, failures: [endOf(output)], output: `${output}\n` };
  }
}

/**
 * Runs one of the installed tools; returns its exit code and all that it has printed. It prints to a file: a pipe
 * would stay open as long as a process that a killed test has left.
 */
async function execute(
  tool: string,
  args: string[],
  env: NodeJS.ProcessEnv = {},
): Promise<{ code: number; output: string }> {
  const path = `${BIN}${delimiter}${process.env['PATH'] ?? ''}`;
  const printed = join(reports, `${randomUUID()}.txt`);
  const file = openSync(printed, 'w');
  const child = spawn(join(BIN, tool), args, {
    cwd: ROOT,
    stdio: ['ignore', file, file],
    env: {
      ...process.env,
      ...(process.stdout.isTTY && { FORCE_COLOR: '1' }),
      ...env,
      PATH: path,
    },
  });
  closeSync(file);
  const passOn = () => child.kill('SIGTERM');
  process.once('SIGTERM', passOn);
  const [code] = (await once(child, 'exit')) as [number | null];
  process.off('SIGTERM', passOn);
  return { code: code ?? 1, output: readFileSync(printed, 'utf8') };
}

function seconds(sinceMs: number): string {
  return `${((Date.now() - sinceMs) / 1000).toFixed(1)} s`;
}

const total: Count = { passed: 0, failed: 0 };
const failures: string[] = [];
const startedMs = Date.now();
let isInterrupted = false;

/** Runs these one after the other, unless something has failed. */
async function runLane(stages: readonly Stage[]): Promise<void> {
  for (const stage of stages) {
    if (total.failed > 0 || isInterrupted) return;
    console.log(`${stage.name} ...`);
    const stageStartedMs = Date.now();
    const outcome = await stage.run();
    total.passed += outcome.passed;
    total.failed += outcome.failed;
    failures.push(...outcome.failures.map((failure) => `[${stage.name}] ${failure}`));
    const result = `${outcome.failed === 0 ? 'passed' : 'FAILED'} in ${seconds(stageStartedMs)}`;
    process.stdout.write(`\n[${stage.name}]\n${outcome.output}[${stage.name}] ${result}\n\n`);
  }
}

// A Ctrl-C reaches the tools as well: their ends are waited for, and what they have printed is shown.
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.on(signal, () => (isInterrupted = true));
await Promise.all([
  runLane(WAITING),
  Promise.all([runLane(CHECKS), runLane(BUILD)]).then(() =>
    Promise.all([runLane(TESTS), runLane(BROWSER)]),
  ),
]);
await runLane(LIGHTHOUSE);
rmSync(reports, { recursive: true, force: true });
if (failures.length > 0) console.log(`\nFailed:\n\n${summarize(failures)}`);
console.log(`\nAll stages that ran took ${seconds(startedMs)}.`);
console.log(`${total.passed} passed, ${total.failed} failed`);
process.exitCode = total.failed === 0 && !isInterrupted ? 0 : 1;
