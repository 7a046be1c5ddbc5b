import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { browserTestsOf } from './browser-tests.ts';
import { ensureChromium } from './chromium.ts';
import { memoryFolder } from './memory-folder.ts';

/**
 * `npm run test:changed`: for work in between. Checks the types of the project, the lint and the format of
 * changed files, and runs the tests that import a changed file and the browser tests of the screens that do
 * (`browser-tests.ts`). `npm test` stays the judge: it also finds what no import shows, such as a screen that
 * reads what the server has changed. Changed means different from where this branch left `main`, committed or not.
 */
const ROOT = join(import.meta.dirname, '..');
const BIN = join(ROOT, 'node_modules/.bin');
const CODE = /\.(?:ts|tsx|cjs)$/;

const changed = listChanged();
const code = changed.filter((file) => CODE.test(file));
const { chosen: browserTests, left } = browserTestsOf(changed);
const others = code.filter((file) => !file.startsWith('e2e/'));
console.log(
  `${changed.length} changed files; browser tests: ${browserTests.join(', ') || 'none'}.`,
);
if (left.length > 0) console.log(`Left to npm test, of the same screens: ${left.join(', ')}.`);

const failed: string[] = [];
run('Types', 'tsc', ['-p', '.']);
if (code.length > 0) run('Lint', 'oxlint', ['--type-aware', '--deny-warnings', ...code]);
if (changed.length > 0) {
  run('Format', 'oxfmt', ['--check', '--no-error-on-unmatched-pattern', ...changed]);
}
if (others.length > 0) {
  run('Unit and integration tests', 'vitest', ['related', '--run', '--passWithNoTests', ...others]);
}
if (browserTests.length > 0) {
  ensureChromium();
  run('End-to-end tests', 'playwright', ['test', ...browserTests], {
    TMPDIR: memoryFolder() ?? process.env['TMPDIR'],
  });
}
console.log(failed.length === 0 ? '\nAll passed.' : `\nFailed: ${failed.join(', ')}.`);
process.exitCode = failed.length === 0 ? 0 : 1;

/** Paths of files that differ from where this branch left main and still exist, new files included. */
function listChanged(): string[] {
  const files = [
    ...git('diff', '--name-only', findBase()),
    ...git('ls-files', '--others', '--exclude-standard'),
  ];
  return [...new Set(files)].filter((file) => existsSync(join(ROOT, file))).toSorted();
}

/** Commit at which this branch left main, here or at the origin; without either, as in a shallow clone, the commit before. */
function findBase(): string {
  const exists = (name: string) =>
    spawnSync('git', ['rev-parse', '--verify', '--quiet', `${name}^{commit}`], { cwd: ROOT })
      .status === 0;
  const main = ['main', 'origin/main'].find(exists);
  if (main !== undefined) return git('merge-base', 'HEAD', main)[0] ?? main;
  return exists('HEAD~1') ? 'HEAD~1' : 'HEAD';
}

/** Lines of a git command's output. Throws an error where git refuses. */
function git(...args: string[]): string[] {
  const { status, stdout, stderr } = spawnSync('git', args, { cwd: ROOT, encoding: 'utf8' });
  if (status !== 0) throw new Error(`git ${args.join(' ')}: ${stderr}`);
  return stdout.split('\n').filter((line) => line !== '');
}

/** Runs one of the installed tools and notes its name if it fails; the next ones run nevertheless. */
function run(name: string, tool: string, args: string[], env: NodeJS.ProcessEnv = {}): void {
  console.log(`\n${name}`);
  const startedMs = Date.now();
  const { status } = spawnSync(join(BIN, tool), args, {
    cwd: ROOT,
    stdio: 'inherit',
    env: { ...process.env, ...env, PATH: `${BIN}${delimiter}${process.env['PATH'] ?? ''}` },
  });
  console.log(`${name}: ${((Date.now() - startedMs) / 1000).toFixed(1)} s`);
  if (status !== 0) failed.push(name);
}
