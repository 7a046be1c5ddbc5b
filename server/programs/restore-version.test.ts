import { chmodSync, cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readOnThisVersion } from '#server/backups/on-this-version.ts';
import { startEmbedded } from '#server/db/embedded/index.ts';
import { withClient } from '#server/db/embedded/roles.ts';
import { migrate, MIGRATIONS_DIR } from '#server/db/migrate.ts';
import { schemaAge } from '#server/db/schema-age.ts';
import { childEnvironment } from '#test/child-environment.ts';
import { runSaid } from '#test/run-said.ts';
import { backupCommand } from './backup.ts';
import { restoreCommand } from './restore.ts';

const home = mkdtempSync(join(tmpdir(), 'purser-versions-'));
// Under root PostgreSQL is another user, which has to pass through.
chmodSync(home, 0o711);
const dataDir = join(home, 'data');
const key = join(home, 'backup.key');
let recipient = '';

function run(
  command: typeof backupCommand | typeof restoreCommand,
  args: string[],
  env: Readonly<Record<string, string>> = {},
) {
  const known = { PURSER_DATA: dataDir, PURSER_BACKUP_KEY: recipient };
  return runSaid(command, args, { ...childEnvironment(), ...known, ...env });
}

/** Runs work on a database of a data folder, as its owner. */
async function withDatabase<T>(folder: string, work: (url: string) => Promise<T>): Promise<T> {
  const database = await startEmbedded({ dataDir: folder, log: () => undefined, fsync: false });
  try {
    return await work(database.ownerUrl);
  } finally {
    await database.stop();
  }
}

beforeAll(async () => {
  const { said } = await run(backupCommand, ['--make-key', key]);
  recipient = /^PURSER_BACKUP_KEY=(age1\w+)$/m.exec(said)?.[1] ?? '';
  // The migrations of this version but for the newest ones.
  const older = join(home, 'migrations');
  mkdirSync(older);
  const names = readdirSync(MIGRATIONS_DIR).toSorted();
  for (const name of names.filter((one) => one < '0600_')) {
    cpSync(join(MIGRATIONS_DIR, name), join(older, name));
  }
  await withDatabase(dataDir, (url) => migrate(url, { log: () => undefined, dir: older }));
  await run(backupCommand, []);
});
afterAll(() => rmSync(home, { recursive: true, force: true }));

const sound = expect.stringContaining('The ledger is sound.');

test('a backup of an older version is verified, and stays one of the older version', async () => {
  const target = join(home, 'older');
  const { code, said } = await run(restoreCommand, ['--identity', key], {
    PURSER_DATA: target,
    PURSER_BACKUPS: join(dataDir, 'backups'),
  });
  expect(said).toEqual(sound);
  expect(said).toContain('The backup is of an older version of Purser.');
  expect(code).toBe(0);
  await withDatabase(target, async (url) => {
    expect(await schemaAge(url)).toBe('older');
    await withClient(url, async (client) => {
      const { rows } = await client.query("SELECT FROM pg_database WHERE datname LIKE 'purser_%'");
      expect(rows).toEqual([]);
    });
  });
});

test('books on which a server has started meanwhile are not verified, and the sentence says so', async () => {
  const database = await startEmbedded({ dataDir, log: () => undefined, fsync: false });
  const reading = withClient(database.ownerUrl, async (client) => {
    await client.query('SELECT 1');
    return readOnThisVersion(database, { print: () => undefined, read: () => Promise.resolve() });
  });
  await expect(reading).rejects.toThrow('because a server has started on the restored database');
  await database.stop();
});

test('a backup of before an upgrade is tried after it, and a newer one says which version it needs', async () => {
  await withDatabase(dataDir, (url) => migrate(url, { log: () => undefined }));
  const drill = ['--identity', key, '--drill'];
  expect(await run(restoreCommand, drill)).toEqual({ code: 0, said: sound });

  await withDatabase(dataDir, (url) =>
    withClient(url, (client) =>
      client.query("INSERT INTO purser_migration (name, sha256) VALUES ('9999_later.sql', '')"),
    ),
  );
  await run(backupCommand, []);
  const newer = await run(restoreCommand, drill);
  expect(newer.said).toContain(
    'this one does not know its migration 9999_later.sql. Use the newer',
  );
  expect(newer.code).toBe(1);
});
