import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { childEnvironment } from '#test/child-environment.ts';
import { until } from '#test/until.ts';

/**
 * Stand-in for `npm ci`: notes that it has begun, waits for the file `go`, and leaves what the lock says. Two that work
 * in one folder fail, as npm's do.
 */
const NPM = `
  const fs = require('fs');
  fs.appendFileSync('begun', process.pid + '\\n');
  fs.rmSync('node_modules', { recursive: true, force: true });
  fs.mkdirSync('node_modules');
  const waiting = setInterval(() => {
    if (!fs.existsSync('go')) return;
    clearInterval(waiting);
    fs.mkdirSync('node_modules/thing');
    fs.copyFileSync('package-lock.json', 'node_modules/.package-lock.json');
  }, 10);`;

const WAITS = 'Another command installs the packages here';

let clone: string;
let started: Run[];

interface Run {
  child: ChildProcess;
  said: string;
  ended: Promise<unknown[]>;
}

beforeEach(() => {
  started = [];
  clone = mkdtempSync(join(tmpdir(), 'purser-clone-'));
  mkdirSync(join(clone, 'scripts'));
  for (const name of ['bootstrap.cjs', 'install-lock.cjs'])
    copyFileSync(join(import.meta.dirname, name), join(clone, 'scripts', name));
  const packages = { '': {}, 'node_modules/thing': { version: '1.0.0' } };
  writeFileSync(join(clone, 'package-lock.json'), JSON.stringify({ packages }));
  writeFileSync(join(clone, 'npm.cjs'), NPM);
});
afterEach(() => {
  for (const { child } of started) child.kill('SIGKILL');
  for (const pid of begun()) kill(pid);
  rmSync(clone, { recursive: true, force: true });
});

function bootstrap(): Run {
  const child = spawn(process.execPath, ['scripts/bootstrap.cjs'], {
    cwd: clone,
    env: { ...childEnvironment(), npm_execpath: join(clone, 'npm.cjs') },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const run = { child, said: '', ended: once(child, 'exit') };
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (run.said += chunk.toString()));
  started.push(run);
  return run;
}

/** Process ids of the installs that have begun. */
function begun(): number[] {
  const file = join(clone, 'begun');
  return existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n').map(Number) : [];
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended.
  }
}

function letInstall(): void {
  writeFileSync(join(clone, 'go'), '');
}

test('a second command in a fresh clone waits until the first has installed', async () => {
  const first = bootstrap();
  await until(() => begun().length === 1);
  const second = bootstrap();
  await until(() => second.said.includes(WAITS));
  letInstall();
  expect(await first.ended, first.said).toEqual([0, null]);
  expect(await second.ended, second.said).toEqual([0, null]);
  expect(begun()).toHaveLength(1);
  // Nothing is left of the lock.
  expect(existsSync(join(clone, 'dist/install.lock'))).toBe(false);
});

test('waits for an install that goes on after its command was killed', async () => {
  const first = bootstrap();
  await until(() => begun().length === 1);
  first.child.kill('SIGKILL');
  await first.ended;
  const second = bootstrap();
  await until(() => second.said.includes(WAITS));
  letInstall();
  expect(await second.ended, second.said).toEqual([0, null]);
  expect(begun()).toHaveLength(1);
});

test('takes over what a killed command and its killed install have left', async () => {
  const first = bootstrap();
  await until(() => begun().length === 1);
  first.child.kill('SIGKILL');
  await first.ended;
  begun().forEach(kill);
  const others = [bootstrap(), bootstrap()];
  letInstall();
  for (const { ended, said } of others) {
    // oxlint-disable-next-line no-await-in-loop -- both run
    expect(await ended, said).toEqual([0, null]);
  }
  expect(begun()).toHaveLength(2);
});
