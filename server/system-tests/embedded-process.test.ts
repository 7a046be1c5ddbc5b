import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { isAlive } from '#server/db/embedded/processes.ts';
import { childEnvironment } from '#test/child-environment.ts';
import { startServerProcess } from '#test/server-process.ts';
import type { ServerProcess } from '#test/server-process.ts';
import { until } from '#test/until.ts';

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
const logFile = () => join(dataDir(), 'postgres/server.log');
const postmaster = () => Number(readFileSync(pidFile(), 'utf8').split('\n')[0]);

async function start(): Promise<ServerProcess> {
  const server = await startServerProcess({ PURSER_DATA: dataDir() });
  running.push(server);
  return server;
}

test('a signal stops the database too, and the next start makes nothing again', async () => {
  const first = await start();
  expect(first.said()).toMatch(/Making a database|Migrated the database/);
  expect((await fetch(`${first.origin}/readyz`)).status).toBe(200);
  const database = postmaster();
  expect(isAlive(database)).toBe(true);
  const ended = new Promise((resolve) => first.child.once('exit', resolve));
  first.child.kill('SIGINT');
  expect(await ended).toBe(0);
  expect(isAlive(database)).toBe(false);
  expect(existsSync(pidFile())).toBe(false);

  const second = await start();
  expect(second.said()).toContain('ready at');
  expect(second.said()).not.toMatch(/Making a database|Migrated the database/);
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

const untilReady = ({ origin }: ServerProcess) =>
  until(async () => (await fetch(`${origin}/readyz`)).status === 200);
const untilGone = (pid: number) => until(() => !isAlive(pid));

test('a killed database is started again, once for all the servers on it', async () => {
  const servers = [await start(), await start()];
  const logBefore = readFileSync(logFile(), 'utf8');
  const killed = postmaster();
  process.kill(killed, 'SIGKILL');
  await untilGone(killed);
  await Promise.all(servers.map(untilReady));
  const database = postmaster();
  expect(database).not.toBe(killed);
  expect(isAlive(database)).toBe(true);
  // A server that stops has finished its look at the database: neither started a second one over it.
  for (const server of servers) {
    expect(server.child.exitCode, server.said()).toBe(null);
    expect(postmaster()).toBe(database);
    await server.stop();
  }
  const log = readFileSync(logFile(), 'utf8').slice(logBefore.length);
  expect(log.match(/starting PostgreSQL|already exists/g)).toHaveLength(1);
});

test('a database that is killed again and again ends the server, with one clear last line', async () => {
  const server = await start();
  const ended = new Promise((resolve) => server.child.once('exit', resolve));
  for (let deaths = 1; deaths <= 5; deaths += 1) {
    const database = postmaster();
    process.kill(database, 'SIGKILL');
    await untilGone(database);
    await untilReady(server);
  }
  process.kill(postmaster(), 'SIGKILL');
  expect(await ended).toBe(1);
  expect(server.lastComplaint()).toBe(
    `The embedded database died 6 times within 5 minutes; its log is ${logFile()}.`,
  );
});

test('the command to invite works while a server runs and leaves it running', async () => {
  const server = await start();
  const { status, stdout } = spawnSync(
    process.execPath,
    [join(import.meta.dirname, '../programs/invite.ts')],
    {
      env: { ...childEnvironment(), PURSER_DATA: dataDir() },
      encoding: 'utf8',
    },
  );
  expect(status).toBe(0);
  expect(stdout).toMatch(/^ {2}http:\/\/\S+\/onboarding\?invite=[\w-]{43}$/m);
  expect((await fetch(`${server.origin}/readyz`)).status).toBe(200);
});
