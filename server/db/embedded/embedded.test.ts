import { spawn } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { childrenOf } from '#test/children-of.ts';
import { until } from '#test/until.ts';
import { withFileLock } from './file-lock.ts';
import { type EmbeddedDatabase, startEmbedded } from './index.ts';
import { sizesFor } from './postmaster.ts';
import { isAlive } from './processes.ts';
import { withClient } from './roles.ts';

let home: string;
let dataDir: string;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'purser-embedded-'));
  // Under root, PostgreSQL runs as another user, which must be able to enter.
  chmodSync(home, 0o711);
  dataDir = join(home, 'data');
});

afterEach(() => rmSync(home, { recursive: true, force: true }));

const start = (): Promise<EmbeddedDatabase> =>
  startEmbedded({ dataDir, log: () => undefined, fsync: false });

const pidFile = () => join(dataDir, 'postgres/postmaster.pid');
const postmaster = () => readFileSync(pidFile(), 'utf8').split('\n')[0];

/** Starts the database in another process, which is then killed with SIGKILL. */
async function startAndKill(): Promise<void> {
  const door = join(import.meta.dirname, 'index.ts');
  const child = spawn(process.execPath, [
    '--input-type=module',
    '--eval',
    `import { startEmbedded } from ${JSON.stringify(door)};
     await startEmbedded({ dataDir: ${JSON.stringify(dataDir)}, log: () => {}, fsync: false });
     process.kill(process.pid, 'SIGKILL');`,
  ]);
  await new Promise((resolve) => child.once('exit', resolve));
}

async function roleOf(url: string): Promise<unknown> {
  const result = await withClient(url, (client) =>
    client.query(`SELECT current_user AS name, rolsuper AS super, current_database() AS database
                    FROM pg_roles WHERE rolname = current_user`),
  );
  return result.rows[0];
}

describe('the embedded database', () => {
  test('serves two unprivileged roles in UTF-8 and stops', async () => {
    const database = await start();
    expect(await roleOf(database.ownerUrl)).toEqual({
      name: 'purser_owner',
      super: false,
      database: 'purser',
    });
    expect(await roleOf(database.appUrl)).toMatchObject({ name: 'purser_app', super: false });
    const encoding = await withClient(database.appUrl, (client) =>
      client.query('SHOW server_encoding'),
    );
    expect(encoding.rows).toEqual([{ server_encoding: 'UTF8' }]);
    await Promise.all([database.stop(), database.stop()]);
    expect(existsSync(pidFile())).toBe(false);
  });

  test('refuses a wrong password', async () => {
    const database = await start();
    const url = new URL(database.appUrl);
    url.password = 'wrong';
    await expect(roleOf(url.toString())).rejects.toThrow('password authentication failed');
    await database.stop();
  });

  test('takes over the postmaster of a killed process', async () => {
    await startAndKill();
    const left = postmaster();
    const database = await start();
    expect(postmaster()).toBe(left);
    await database.stop();
    expect(existsSync(pidFile())).toBe(false);
  });

  test('recovers when the postmaster was killed, too', async () => {
    await startAndKill();
    process.kill(Number(postmaster()), 'SIGKILL');
    const database = await start();
    expect(await roleOf(database.appUrl)).toMatchObject({ name: 'purser_app' });
    await database.stop();
  });

  test('waits for the processes that a killed postmaster left', async () => {
    await startAndKill();
    const killed = Number(postmaster());
    const left = childrenOf(killed);
    for (const pid of left) process.kill(pid, 'SIGSTOP');
    process.kill(killed, 'SIGKILL');
    await until(() => !isAlive(killed));
    const said: string[] = [];
    const log = (sentence: string) => void said.push(sentence);
    const starting = startEmbedded({ dataDir, log, fsync: false });
    await until(() => said.length > 0);
    for (const pid of left) process.kill(pid, 'SIGCONT');
    const database = await starting;
    expect(said).toEqual([expect.stringContaining('Waiting for it to end')]);
    expect(await roleOf(database.appUrl)).toMatchObject({ name: 'purser_app' });
    await database.stop();
  });

  test('is started once for several users and stopped by the last', async () => {
    const all = await Promise.all([start(), start(), start()]);
    const [first, second, third] = all.map(({ appUrl }) => appUrl);
    expect([second, third]).toEqual([first, first]);
    await all[0]?.stop();
    await all[1]?.stop();
    expect(existsSync(pidFile())).toBe(true);
    await all[2]?.stop();
    expect(existsSync(pidFile())).toBe(false);
  });

  test('is not confused by a process id that now belongs to another program', async () => {
    await (await start()).stop();
    writeFileSync(pidFile(), `1\n${dataDir}/postgres\n0\n1\n\n127.0.0.1\n0\nready\n`);
    const database = await start();
    expect(await roleOf(database.appUrl)).toMatchObject({ name: 'purser_app' });
    await database.stop();
  });
});

describe('one clear sentence', () => {
  test('for a data folder that cannot be made', async () => {
    writeFileSync(dataDir, 'a file');
    await expect(start()).rejects.toThrow(/^The data folder .* cannot be written \(EEXIST\); make/);
  });

  test('for missing passwords', async () => {
    await (await start()).stop();
    rmSync(join(dataDir, 'postgres-passwords.json'));
    await expect(start()).rejects.toThrow('restore it from your backup of the data folder.');
  });

  test('for a database that was moved away', async () => {
    const database = await start();
    await database.stop();
    rmSync(join(dataDir, 'postgres'), { recursive: true });
    writeFileSync(join(dataDir, 'postgres-location'), join(home, 'gone/postgres'));
    await expect(start()).rejects.toThrow('which is gone; restore it');
  });

  test('for a folder of the database that holds something else, which stays', async () => {
    const file = join(dataDir, 'postgres/base/1');
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, 'all there is');
    await expect(start()).rejects.toThrow(
      `${join(dataDir, 'postgres')} holds something and no database (PG_VERSION is missing); restore it from`,
    );
    expect(readFileSync(file, 'utf8')).toBe('all there is');
  });

  test('for a company whose database is gone, in whose place no empty one is made', async () => {
    mkdirSync(dataDir);
    writeFileSync(join(dataDir, 'ledger-roots.jsonl'), '');
    const sentence = /has the roots of a company, and its database is gone\. Mount the disk that/;
    await expect(start()).rejects.toThrow(sentence);
    await expect(startEmbedded({ dataDir, log: () => undefined, mustExist: true })).rejects.toThrow(
      sentence,
    );
    expect(existsSync(join(dataDir, 'postgres/PG_VERSION'))).toBe(false);
  });

  test('for a database that cannot be read, which is none that is missing', async () => {
    mkdirSync(dataDir);
    symlinkSync('postgres', join(dataDir, 'postgres'));
    const sentence = /^The database in .+ cannot be read \(ELOOP\)\. Run this as the user/;
    await expect(start()).rejects.toThrow(sentence);
    await expect(startEmbedded({ dataDir, log: () => undefined, mustExist: true })).rejects.toThrow(
      sentence,
    );
  });

  test('for a database that everybody may change, with what to do', async () => {
    await (await start()).stop();
    const folder = join(dataDir, 'postgres');
    chmodSync(folder, 0o777);
    await expect(start()).rejects.toThrow(
      new RegExp(`invalid permissions.*; chown -R \\d+:\\d+ ${folder} && chmod 700 ${folder}$`),
    );
  });

  test('for a cluster that does not start', async () => {
    await (await start()).stop();
    writeFileSync(join(dataDir, 'postgres/PG_VERSION'), '9.6\n');
    await expect(start()).rejects.toThrow(
      /^The embedded database in .* did not start: FATAL: .*incompatible/,
    );
  });
});

describe('withFileLock', () => {
  test('lets one in at a time', async () => {
    const lock = join(home, 'lock');
    let inside = 0;
    let most = 0;
    const work = async () => {
      inside += 1;
      most = Math.max(most, inside);
      for (let turns = 0; turns < 20; turns += 1) await setImmediate();
      inside -= 1;
    };
    await Promise.all(Array.from({ length: 8 }, () => withFileLock(lock, 10_000, work)));
    expect(most).toBe(1);
    expect(existsSync(lock)).toBe(false);
  });

  test('takes over the lock of a dead process, not of a live one', async () => {
    const lock = join(home, 'lock');
    writeFileSync(lock, '999999999');
    expect(await withFileLock(lock, 1000, async () => 'done')).toBe('done');
    writeFileSync(lock, String(process.pid));
    await expect(withFileLock(lock, 100, async () => 'done')).rejects.toThrow('has held');
  });
});

const GIB = 1024 ** 3;

test.each([
  { memory: 0.5, free: 2, buffers: '128MB', log: '1024MB', unwritten: '16MB', sort: '4MB' },
  { memory: 4, free: 40, buffers: '1024MB', log: '10240MB', unwritten: '16MB', sort: '16MB' },
  { memory: 256, free: 900, buffers: '8192MB', log: '16384MB', unwritten: '64MB', sort: '64MB' },
])('a machine of $memory GiB with $free GiB free', ({ memory, free, ...sizes }) => {
  expect(sizesFor({ memoryBytes: memory * GIB, freeBytes: free * GIB })).toEqual([
    `shared_buffers = '${sizes.buffers}'`,
    `max_wal_size = '${sizes.log}'`,
    `wal_buffers = '${sizes.unwritten}'`,
    `work_mem = '${sizes.sort}'`,
  ]);
});

test('a database that keeps what it wrote starts with them', async () => {
  const database = await startEmbedded({ dataDir, log: () => undefined, fsync: true });
  const { rows } = await withClient(database.superuserUrl('postgres'), (client) =>
    client.query(
      `SELECT name FROM pg_settings WHERE name IN ('shared_buffers', 'max_wal_size', 'wal_buffers', 'work_mem') AND sourcefile LIKE '%purser.conf'`,
    ),
  );
  expect(rows).toHaveLength(4);
  await database.stop();
});
