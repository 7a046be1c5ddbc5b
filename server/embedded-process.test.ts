import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { isAlive } from '#server/db/embedded/processes.ts';
import { startServerProcess } from '#test/server-process.ts';
import type { ServerProcess } from '#test/server-process.ts';

/** One folder for all tests here: making a database is what takes long. */
let home: string;
let running: ServerProcess[] = [];

beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), 'purser-process-'));
  // Under root PostgreSQL is another user, which has to pass through.
  chmodSync(home, 0o711);
});
afterEach(async () => {
  for (const server of running) await server.stop();
  running = [];
});
afterAll(() => rmSync(home, { recursive: true, force: true }));

const dataDir = () => join(home, 'data');
const pidFile = () => join(dataDir(), 'postgres/postmaster.pid');
const postmaster = () => Number(readFileSync(pidFile(), 'utf8').split('\n')[0]);

async function start(): Promise<ServerProcess> {
  const server = await startServerProcess({ PURSER_DATA: dataDir() });
  running.push(server);
  return server;
}

test('a signal stops the database too, and the next start makes nothing anew', async () => {
  const firstMs = performance.now();
  const first = await start();
  const firstTookMs = performance.now() - firstMs;
  expect((await fetch(`${first.origin}/readyz`)).status).toBe(200);
  const database = postmaster();
  expect(isAlive(database)).toBe(true);
  const ended = new Promise((resolve) => first.child.once('exit', resolve));
  first.child.kill('SIGINT');
  expect(await ended).toBe(0);
  expect(isAlive(database)).toBe(false);
  expect(existsSync(pidFile())).toBe(false);

  const secondMs = performance.now();
  await start();
  // How many seconds that is depends on the machine and on what else it does.
  expect(performance.now() - secondMs).toBeLessThan(firstTookMs);
});

test('after a kill the next start takes over the database that was left running', async () => {
  const first = await start();
  const database = postmaster();
  await first.kill();
  expect(isAlive(database)).toBe(true);

  const second = await start();
  expect(postmaster()).toBe(database);
  expect((await fetch(`${second.origin}/readyz`)).status).toBe(200);
  await second.stop();
  expect(isAlive(database)).toBe(false);
});

test('a second server on the same folder shares the database, which stays for the one left', async () => {
  const first = await start();
  const database = postmaster();
  const second = await start();
  expect(postmaster()).toBe(database);
  await first.stop();
  expect((await fetch(`${second.origin}/readyz`)).status).toBe(200);
  expect(isAlive(database)).toBe(true);
});

test('the command to invite works beside a running server and leaves it running', async () => {
  const server = await start();
  const { status, stdout } = spawnSync(process.execPath, [join(import.meta.dirname, 'invite.ts')], {
    env: { PATH: process.env['PATH'] ?? '', PURSER_DATA: dataDir() },
    encoding: 'utf8',
  });
  expect(status).toBe(0);
  expect(stdout).toMatch(/^ {2}[\w-]{43}$/m);
  expect((await fetch(`${server.origin}/readyz`)).status).toBe(200);
});
