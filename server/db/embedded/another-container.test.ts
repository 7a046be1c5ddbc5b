import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, closeSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { childEnvironment } from '#test/child-environment.ts';
import { until } from '#test/until.ts';
import { withFileLock } from './file-lock.ts';
import { holdPipe, isHeld } from './held-pipe.ts';
import { startEmbedded } from './index.ts';
import type { EmbeddedOptions } from './index.ts';
import { withClient } from './roles.ts';

let home: string;
let dataDir: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'purser-container-'));
  // Under root PostgreSQL is another user, which has to pass through.
  chmodSync(home, 0o711);
  dataDir = join(home, 'data');
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const start = (options: Partial<EmbeddedOptions> = {}) =>
  startEmbedded({ dataDir, log: () => undefined, fsync: false, ...options });
const pipe = () => join(dataDir, 'postgres.alive');
const pidFile = () => join(dataDir, 'postgres/postmaster.pid');

test('every process of the database holds its pipe, and none that has ended', async () => {
  const database = await start();
  expect(isHeld(pipe())).toBe(true);
  await database.stop();
  await until(() => isHeld(pipe()) === false);
});

/** Runs a module in namespaces of its own, as a container has them; null where this user may not. */
function runInContainer(code: string): string | null {
  const unshare = ['--pid', '--fork', '--mount-proc', '--ipc', '--net'];
  if (spawnSync('unshare', [...unshare, 'true']).status !== 0) return null;
  const node = [process.execPath, '--input-type=module', '--eval', code];
  return execFileSync('unshare', [...unshare, ...node], {
    encoding: 'utf8',
    env: childEnvironment(),
  });
}

test('a database that runs in another container is not started a second time', async (context) => {
  const database = await start();
  const said = runInContainer(
    `const { startEmbedded } = await import(${JSON.stringify(join(import.meta.dirname, 'index.ts'))});
     const options = { dataDir: ${JSON.stringify(dataDir)}, log: () => {}, fsync: false, waitMs: 0 };
     console.log(await startEmbedded(options).then(() => 'started', (error) => error.message));`,
  );
  const select = withClient(database.ownerUrl, (client) => client.query('SELECT 1 AS one'));
  expect((await select).rows).toEqual([{ one: 1 }]);
  await database.stop();
  expect(existsSync(pidFile())).toBe(false);
  if (said === null) return context.skip('No container is made: this user may not.');
  expect(said).toBe(
    `The database in ${join(dataDir, 'postgres')} runs in another container, and one alone can use it. Run the command in that container, or stop it first. Several containers need a PostgreSQL of their own: DATABASE_URL.\n`,
  );
});

test('a start waits for the other container to end, and says so', async () => {
  await (await start()).stop();
  const held = holdPipe(pipe());
  await expect(start({ waitMs: 0 })).rejects.toThrow('runs in another container');
  const said: string[] = [];
  const starting = start({ log: (sentence) => said.push(sentence) });
  await until(() => said.length > 0);
  closeSync(held);
  const database = await starting;
  expect(said).toEqual([
    expect.stringMatching(/runs in another container\. Waiting for it to end/),
  ]);
  await database.stop();
  expect(existsSync(pidFile())).toBe(false);
});

test('what a killed container left counts for nothing, although the next one has its process id', async () => {
  await (await start()).stop();
  closeSync(holdPipe(join(dataDir, 'postgres-users', `${process.pid}-1`)));
  const database = await start();
  await database.stop();
  expect(existsSync(pidFile())).toBe(false);

  const lock = join(home, 'lock');
  const left = `${process.pid}\nlock.left\n`;
  await withFileLock(lock, 0, async () => {
    await expect(withFileLock(lock, 0, async () => 'done')).rejects.toThrow('has held');
  });
  writeFileSync(lock, left);
  expect(await withFileLock(lock, 0, async () => 'done')).toBe('done');
});
