import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { childEnvironment } from '#test/child-environment.ts';
import { until } from '#test/until.ts';
import { buildOnce } from './build-once.ts';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'purser-build-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

test('two starts build one after the other, and the second finds what the first has built', async () => {
  const begun: string[] = [];
  const released = Promise.withResolvers<void>();
  const build = (name: string) => async () => {
    begun.push(name);
    await released.promise;
  };
  const both = [
    buildOnce(folder, 'sources', build('first')),
    buildOnce(folder, 'sources', build('second')),
  ];
  await until(() => begun.length > 0);
  released.resolve();
  expect(await Promise.all(both)).toEqual(expect.arrayContaining(['built', 'fresh']));
  expect(begun).toHaveLength(1);
  expect(await buildOnce(folder, 'sources', build('third'))).toBe('fresh');
});

test('a start takes over from one that was killed while it built', async () => {
  const program = `
    import { writeFileSync } from 'node:fs';
    import { buildOnce } from ${JSON.stringify(join(import.meta.dirname, 'build-once.ts'))};
    await buildOnce(${JSON.stringify(folder)}, 'sources', async () => {
      writeFileSync(${JSON.stringify(join(folder, 'begun'))}, '');
      await new Promise((resolve) => setTimeout(resolve, 600_000));
    });`;
  const killed = spawn(process.execPath, ['--input-type=module', '--eval', program], {
    cwd: join(import.meta.dirname, '..'),
    env: childEnvironment(),
    stdio: 'ignore',
  });
  const ended = once(killed, 'exit');
  await until(() => existsSync(join(folder, 'begun')));
  killed.kill('SIGKILL');
  await ended;
  expect(await buildOnce(folder, 'sources', async () => undefined)).toBe('built');
});

test('what an interrupted build has left is not taken for that of the sources before it', async () => {
  const build = async () => undefined;
  expect(await buildOnce(folder, 'before', build)).toBe('built');
  await expect(
    buildOnce(folder, 'after', async () => {
      writeFileSync(join(folder, 'half'), '');
      throw new Error('interrupted');
    }),
  ).rejects.toThrow('interrupted');
  expect(await buildOnce(folder, 'before', build)).toBe('built');
});
