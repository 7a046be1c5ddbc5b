import { randomUUID } from 'node:crypto';
import { appendFileSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { withClient } from '#server/db/embedded/roles.ts';
import { migrate } from '#server/db/migrate.ts';
import { LIMITS } from '#server/lib/limits.ts';
import { readHead, verifyLedger } from '#server/modules/ledger/index.ts';
import { backupCommand } from '#server/programs/backup.ts';
import { runCommand } from '#server/programs/run-command.ts';
import { createFileRoots } from '#server/providers/roots/file.ts';
import { childEnvironment } from '#test/child-environment.ts';
import { createMoneyCompany, withdrawalRequest } from '#test/money-company.ts';
import { openTestDb } from '#test/open-db.ts';
import { openOwnCluster } from '#test/own-cluster.ts';
import { startServerProcess } from '#test/server-process.ts';
import { smallDiskFor } from '#test/small-disk.ts';
import { until } from '#test/until.ts';

const MIB = 2 ** 20;
const PAGE = 4_096;
/** PostgreSQL may end before it can say why; the next start then says it. */
const SENTENCE =
  /is full.* Make room on (?:it|that disk), and start again\.|Start again once it answers/;
/** Least length of a secret in the data folder. */
const SECRET_LENGTH = 40;

test('a first start whose disk is full says so, leaves nothing half made, and a backup leaves room there', async (context) => {
  const disk = smallDiskFor(context, 512);
  const dataDir = join(disk.path, 'data');
  const start = () => startServerProcess({ PURSER_DATA: dataDir });
  const places = [0, 1, 2].map((pages) => pages * PAGE);
  for (const leftBytes of [...places, 20 * MIB, 60 * MIB]) {
    disk.fill(leftBytes);
    await expect(start(), `${leftBytes} bytes left`).rejects.toThrow(SENTENCE);
    disk.free();
  }
  const server = await start();
  onTestFinished(() => server.kill());
  expect((await fetch(`${server.origin}/readyz`)).status).toBe(200);
  const files = readdirSync(dataDir);
  expect(files.filter((name) => /unfinished|password$|-[\da-f]{12}$/.test(name))).toEqual([]);
  for (const name of ['session-secret', 'master-key', 'ledger-signing-key.pem']) {
    expect(readFileSync(join(dataDir, name), 'utf8').length).toBeGreaterThan(SECRET_LENGTH);
  }

  const backups = join(dataDir, 'backups');
  let said = '';
  const print = (line: string) => (said += `${line}\n`);
  const env = { ...childEnvironment(), PURSER_DATA: dataDir };
  const run = async (args: string[], key = '') => {
    said = '';
    const given = { ...env, PURSER_BACKUP_KEY: key };
    return runCommand(backupCommand, { args, env: given, print, printError: print });
  };
  await run(['--make-key', join(disk.path, 'backup.key')]);
  const key = /^PURSER_BACKUP_KEY=(age1\w+)$/m.exec(said)?.[1] ?? '';
  disk.fill(LIMITS.backups.minFreeBytes + 2 * MIB);
  expect(await run([], key)).toBe(1);
  expect(said).toContain('128 MB of that disk are left for the database. Make room there');
  expect(readdirSync(backups)).toEqual([]);
  expect((await fetch(`${server.origin}/readyz`)).status).toBe(200);
  disk.free();
  expect(await run([], key)).toBe(0);
  expect(readdirSync(backups)).toHaveLength(1);
  await server.stop();
  expect(server.child.exitCode, server.said()).toBe(0);
});

test('a migration whose disk is full leaves the database as it was, and the next start applies all', async (context) => {
  const disk = smallDiskFor(context, 384);
  const cluster = await openOwnCluster({ folder: disk.path });
  onTestFinished(() => cluster.close());
  const { ownerUrl } = cluster.database;
  const run = () => migrate(ownerUrl, { log: () => undefined });
  const isMigrated = async () => {
    const asked = `SELECT to_regclass('purser_migration') IS NOT NULL AS is_there`;
    const { rows } = await withClient(ownerUrl, (client) => client.query(asked));
    return (rows as { is_there: boolean }[])[0]?.is_there;
  };
  /** A process that says that the log has no room is there until it ends, and all others with it. */
  const isQuiet = async () => {
    await cluster.recover();
    const asked = `SELECT FROM pg_stat_activity WHERE backend_type = 'client backend'`;
    const ask = withClient(ownerUrl, (client) => client.query(asked));
    return ask.then(
      ({ rowCount }) => rowCount === 1,
      () => false,
    );
  };
  for (const leftBytes of [0, MIB, 6 * MIB]) {
    disk.fill(leftBytes);
    await expect(run(), `${leftBytes} bytes left`).rejects.toThrow(SENTENCE);
    disk.free();
    await until(isQuiet);
    expect(await isMigrated()).toBe(false);
  }
  expect((await run()).applied.length).toBeGreaterThan(0);
  expect((await run()).applied).toEqual([]);
});

test('sealing goes on while roots have no room, and the books are sound during it and after it', async (context) => {
  const disk = smallDiskFor(context, 4);
  const database = await openTestDb();
  onTestFinished(() => database.close());
  const options = { people: 1, fundedMinor: 100_000n, folder: disk.path };
  const company = await createMoneyCompany(database, options);
  onTestFinished(() => company.close());
  const server = await company.startServer();
  const [payee] = company.payees;
  if (payee === undefined) throw new Error('the company has a person');
  const withdraw = async () => {
    const request = withdrawalRequest(server, payee, { key: randomUUID(), minor: 100n });
    expect((await fetch(request)).status).toBe(201);
  };
  const [folder = ''] = readdirSync(disk.path);
  const path = join(disk.path, folder, 'ledger-roots.jsonl');
  const roots = createFileRoots(path);
  const isExported = async () => {
    const [head, newest] = [await readHead(database.db), await roots.newest()];
    return head !== undefined && head.height === newest?.height;
  };
  const left = async () => {
    const { rows } = await sql`SELECT FROM ledger_unsealed`.execute(database.db);
    return rows.length;
  };
  const verify = async () => {
    const { problems, roots: compared } = await verifyLedger(database.db, { roots });
    return { problems, cutShort: compared.cutShort };
  };
  await until(isExported);

  // Empty lines up to the last 100 bytes of a page, which have room for the beginning of a root.
  appendFileSync(path, '\n'.repeat((2 * PAGE - 100 - (statSync(path).size % PAGE)) % PAGE));
  disk.fill();
  await withdraw();
  const isTorn = () => !readFileSync(path, 'utf8').endsWith('\n');
  await until(async () => isTorn() && (await left()) === 0);
  expect(await verify()).toEqual({ problems: [], cutShort: 1n });

  disk.free();
  await withdraw();
  await until(isExported);
  expect(await verify()).toEqual({ problems: [], cutShort: 1n });
  // Another process begins with what is in the file.
  const second = await company.startServer();
  await withdraw();
  await until(isExported);
  for (const one of [server, second]) await one.stop();
});
