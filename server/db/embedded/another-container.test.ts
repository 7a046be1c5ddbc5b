import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  closeSync,
  existsSync,
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

const unshare = ['--pid', '--fork', '--mount-proc', '--ipc', '--net'];
const mayMakeContainer = () => spawnSync('unshare', [...unshare, 'true']).status === 0;

/** Runs a module in namespaces of its own, as a container has them; null where this user may not. */
function runInContainer(code: string): string | null {
  if (!mayMakeContainer()) return null;
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
    `The database in ${join(dataDir, 'postgres')} is in use where it cannot be reached from here, as in another container. Run the command in that container, or stop it first. Several containers need a PostgreSQL of their own: DATABASE_URL.\n`,
  );
});

test('nor one that a container runs, whose processes the machine sees under other ids', async (context) => {
  const program = `
    const { startEmbedded } = await import(${JSON.stringify(join(import.meta.dirname, 'index.ts'))});
    const options = { dataDir: ${JSON.stringify(dataDir)}, log: () => {}, fsync: false };
    const database = await startEmbedded(options);
    console.log('ready');
    for await (const _ of process.stdin);
    await database.stop();`;
  if (!mayMakeContainer()) return context.skip('No container is made: this user may not.');
  const node = [process.execPath, '--input-type=module', '--eval', program];
  const child = spawn('unshare', ['--pid', '--fork', '--mount-proc', '--ipc', ...node], {
    env: childEnvironment(),
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  await Promise.race([once(child.stdout, 'data'), ended]);
  await expect(start({ waitMs: 0 })).rejects.toThrow(
    'is in use where it cannot be reached from here',
  );
  child.stdin.end();
  expect(await ended).toEqual([0, null]);
  const database = await start();
  await database.stop();
  const log = readFileSync(join(dataDir, 'postgres/server.log'), 'utf8');
  expect(log.match(/starting PostgreSQL/g)).toHaveLength(2);
  expect(log).not.toContain('not properly shut down');
});

test('a start waits for the other container to end, and says so', async () => {
  await (await start()).stop();
  const held = holdPipe(pipe());
  await expect(start({ waitMs: 0 })).rejects.toThrow('is in use where it cannot');
  const said: string[] = [];
  const starting = start({ log: (sentence) => said.push(sentence) });
  await until(() => said.length > 0);
  closeSync(held);
  const database = await starting;
  expect(said).toEqual([expect.stringMatching(/is in use elsewhere\. Waiting for it to end/)]);
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
