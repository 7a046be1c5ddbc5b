import {
  appendFileSync,
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { listBackups } from '#server/backups/backup-folder.ts';
import { migrate } from '#server/db/migrate.ts';
import { startEmbedded } from '#server/db/embedded/index.ts';
import type { EmbeddedDatabase } from '#server/db/embedded/index.ts';
import { withClient } from '#server/db/embedded/roles.ts';
import { createDb, createPool } from '#server/db/pool.ts';
import type { Db } from '#server/db/tx.ts';
import { systemClock } from '#server/lib/clock.ts';
import { silentLog } from '#server/lib/log.ts';
import { lastRestoreDrill, missingRestoreDrill } from '#server/modules/books/index.ts';
import { createSealer, loadSigningKey } from '#server/modules/ledger/index.ts';
import { postPayroll } from '#server/modules/payroll/index.ts';
import { createRootStore } from '#server/providers/roots/index.ts';
import { readOrMakeLocalSecrets } from '#server/config/local-secrets.ts';
import { childEnvironment } from '#test/child-environment.ts';
import { runSaid } from '#test/run-said.ts';
import { createAdmin, createEmployee } from '#test/factories/people.ts';
import { createTestServices } from '#test/factories/services.ts';
import { accountForPayroll, confirmPayroll } from '#test/payroll-fixture.ts';
import { smallDiskFor } from '#test/small-disk.ts';
import { until } from '#test/until.ts';
import { backupCommand } from './backup.ts';
import { restoreCommand } from './restore.ts';
import { verifyCommand } from './verify.ts';

const LINES = 40;

const home = mkdtempSync(join(tmpdir(), 'purser-backup-'));
// Under root PostgreSQL is another user, which has to pass through.
chmodSync(home, 0o711);
const dataDir = join(home, 'data');
const backups = join(home, 'backups');
const keyFile = join(home, 'backup.key');
let recipient = '';
let database: EmbeddedDatabase;
let pool: ReturnType<typeof createPool>;
let db: Db;

type Environment = Readonly<Record<string, string>>;

function run(
  command: typeof backupCommand | typeof restoreCommand | typeof verifyCommand,
  args: string[],
  env: Environment = {},
) {
  const known = { PURSER_DATA: dataDir, PURSER_BACKUPS: backups, PURSER_BACKUP_KEY: recipient };
  return runSaid(command, args, { ...childEnvironment(), ...known, ...env });
}
const backup = (env?: Environment) => run(backupCommand, [], env);
const restore = (target: string, args: string[] = [], env: Environment = {}) =>
  run(restoreCommand, ['--identity', keyFile, ...args], { ...env, PURSER_DATA: target });

async function seal(): Promise<void> {
  const roots = createRootStore({ ledgerRoots: null, dataDir, onFailure: () => undefined });
  const options = { db, formerKeys: [], roots, log: silentLog };
  const signingKey = loadSigningKey({ dataDir });
  await createSealer({ ...options, signingKey, furtherKeys: () => [] }).run();
  await roots.close();
}

beforeAll(async () => {
  const made = await run(backupCommand, ['--make-key', keyFile]);
  recipient = /^PURSER_BACKUP_KEY=(age1\w+)$/m.exec(made.said)?.[1] ?? '';
  database = await startEmbedded({ dataDir, log: () => undefined, fsync: false });
  await migrate(database.ownerUrl, { log: () => undefined });
  readOrMakeLocalSecrets(dataDir);
  mkdirSync(join(dataDir, 'files'));
  writeFileSync(join(dataDir, 'files', 'image'), 'encrypted');
  pool = createPool({ url: database.appUrl });
  db = createDb(pool);
  await pool.query('UPDATE company_settings SET payroll_cancel_seconds = 0');
});
afterEach(() => {
  vi.unstubAllEnvs();
});
afterAll(async () => {
  await pool.end();
  await database.stop();
  rmSync(home, { recursive: true, force: true });
});

/** Opens a restored company for a look, and leaves it. */
async function lookInto<T>(restored: string, work: (db: Db) => Promise<T>): Promise<T> {
  const opened = await startEmbedded({ dataDir: restored, log: () => undefined });
  const itsPool = createPool({ url: opened.ownerUrl });
  try {
    return await work(createDb(itsPool));
  } finally {
    await itsPool.end();
    await opened.stop();
  }
}

const newestBackup = () => listBackups(backups).at(-1)?.path ?? '';

/** Copies the newest backup to one that was made some days ago. Returns its folder. */
function copyOf(daysAgo: number): string {
  const at = new Date(Date.now() - daysAgo * 86_400_000).toISOString();
  const path = join(backups, at.replaceAll(':', '-'));
  cpSync(newestBackup(), path, { recursive: true });
  return path;
}

/** Deletes all backups but the newest. */
function leaveNewest(): void {
  for (const { path } of listBackups(backups).slice(0, -1)) rmSync(path, { recursive: true });
}

const countDrills = async () => (await db.selectFrom('restoreDrill').select('id').execute()).length;

describe('a backup', () => {
  test('taken during a payroll and restored elsewhere is sound, and the payroll goes on from there', async () => {
    expect(await missingRestoreDrill(db, { clock: systemClock })).toBeNull();
    const services = createTestServices(new Date().toISOString());
    for (let count = 0; count < LINES; count += 1) await createEmployee(db, services);
    const { by } = await createAdmin(db, services);
    await seal();
    const batchId = await confirmPayroll(db, by.actor);
    const paidLines = async (on: Db) => (await accountForPayroll(on, batchId)).paidLines;
    const posting = await withClient(database.ownerUrl, async (client) => {
      // The wallet of a later line is locked, so that the payroll waits in the middle of its work.
      await client.query('BEGIN');
      await client.query(
        `SELECT FROM ledger_account WHERE id = (
             SELECT ledger_account_id FROM wallet JOIN payroll_line ON wallet.id = wallet_id
              WHERE batch_id = $1 AND line_number = $2) FOR UPDATE`,
        [batchId, LINES / 2],
      );
      const begun = postPayroll(db, { clock: systemClock }, batchId, { chunkLines: 2 });
      const outcome = begun.catch((error: unknown) => error);
      await until(async () => (await paidLines(db)) >= LINES / 4, { everyMs: 5 });
      expect(await backup()).toEqual({ code: 0, said: expect.stringContaining('and read back') });
      expect(await paidLines(db)).toBeLessThan(LINES / 2);
      await client.query('ROLLBACK');
      return outcome;
    });
    await posting;
    await postPayroll(db, { clock: systemClock }, batchId);
    expect(await paidLines(db)).toBe(LINES);
    expect(await missingRestoreDrill(db, { clock: systemClock })).toEqual({ since: null });
    await seal();

    const target = join(home, 'elsewhere');
    const keptElsewhere = join(dataDir, 'ledger-roots.jsonl');
    const { code, said } = await restore(target, ['--roots', keptElsewhere]);
    expect(said).toContain('The ledger is sound.');
    expect(code).toBe(0);
    expect(said).toMatch(/Its last transaction was recorded 20\S+, 0\.0 hours ago/);
    // The block of after the payroll is named, with the command that goes on without it.
    expect(said).toMatch(
      /Not in the backup: what was acknowledged after 20\S+Z, in \d+ sealed blocks:\n {2}block \d+/,
    );
    const [, words = ''] = /npm run verify -- (.+) --reason "..."/.exec(said) ?? [];
    const accepting = [...words.split(' '), '--reason', 'The disk broke'];
    const accepted = await run(verifyCommand, accepting, { PURSER_DATA: target });
    expect(accepted.said).toContain('Recorded in');
    const compared = await run(verifyCommand, [keptElsewhere], { PURSER_DATA: target });
    expect(compared.said).toContain('The ledger is sound.');
    expect(readFileSync(join(target, 'files', 'image'), 'utf8')).toBe('encrypted');
    for (const name of ['master-key', 'session-secret', 'ledger-signing-key.pem']) {
      expect(readFileSync(join(target, name))).toEqual(readFileSync(join(dataDir, name)));
    }
    await lookInto(target, async (restored) => {
      const before = await paidLines(restored);
      expect(before).toBeGreaterThanOrEqual(LINES / 4);
      expect(before).toBeLessThan(LINES / 2);
      await postPayroll(restored, { clock: systemClock }, batchId);
      const { losses, doubles, movedMinor, batchPaidMinor } = await accountForPayroll(
        restored,
        batchId,
      );
      expect({ losses, doubles }).toEqual({ losses: 0, doubles: 0 });
      expect(await paidLines(restored)).toBe(LINES);
      expect(movedMinor).toBe(batchPaidMinor);
    });
  });

  test('whose trial fails is a failed trial on System Health, until one succeeds', async () => {
    const newest = join(backups, '2999-01-01T00-00-00.000Z-9');
    cpSync(newestBackup(), newest, { recursive: true });
    appendFileSync(join(newest, 'database.tar.zst.age'), 'x');
    const otherKey = join(home, 'drill-other.key');
    await run(backupCommand, ['--make-key', otherKey]);
    const before = await countDrills();
    const damaged = await restore(dataDir, ['--drill']);
    expect(damaged).toEqual({
      code: 1,
      said: expect.stringMatching(/System Health has the result\.\n.+is not as it was written/),
    });
    rmSync(newest, { recursive: true });
    const lost = await run(restoreCommand, ['--identity', otherKey, '--drill']);
    expect(lost.said).toContain('was not encrypted for this key');
    const none = await restore(dataDir, ['--drill'], { PURSER_BACKUPS: join(home, 'none') });
    expect(none.said).toContain('There is no backup in');
    expect(await countDrills()).toBe(before + 3);
    const drill = await lastRestoreDrill(db);
    expect(drill).toMatchObject({ isSound: false, lastTransactionAt: null });
    const since = new Date(drill?.at ?? '');
    expect(await missingRestoreDrill(db, { clock: systemClock })).toEqual({ since });
  });

  test('is tried next to the running company, and leaves nothing', async () => {
    const own = join(home, 'tmp');
    mkdirSync(own, { mode: 0o711 });
    vi.stubEnv('TMPDIR', own);
    const { code, said } = await restore(dataDir, ['--drill']);
    expect(said).toContain('The ledger is sound.');
    expect(said).toContain('Not in the backup');
    expect(said).not.toContain('--accept-restored');
    expect(said).toContain('System Health has the result.');
    expect(code).toBe(0);
    const drill = await lastRestoreDrill(db);
    expect(drill).toMatchObject({ isSound: true, lastTransactionAt: expect.any(String) });
    expect(await missingRestoreDrill(db, { clock: systemClock })).toBeNull();
    const later = new Date(Date.now() + 93 * 86_400_000);
    const since = new Date(drill?.at ?? '');
    expect(await missingRestoreDrill(db, { clock: { now: () => later } })).toEqual({ since });
    const invented = 'INSERT INTO restore_drill (lost_blocks, is_sound) VALUES (0, true)';
    await expect(pool.query(invented)).rejects.toThrow('permission denied');
    expect(readdirSync(own)).toEqual([]);
    await pool.query('SELECT 1');
  });

  test('is not opened by another key than its own', async () => {
    const otherKey = join(home, 'other.key');
    await run(backupCommand, ['--make-key', otherKey]);
    const target = join(home, 'lost');
    const env = { PURSER_DATA: target };
    const { code, said } = await run(restoreCommand, ['--identity', otherKey], env);
    expect(said).toContain('was not encrypted for this key');
    expect(code).toBe(1);
    expect(existsSync(target)).toBe(false);
    const none = await run(restoreCommand, ['--identity', join(home, 'none.key')], env);
    expect(none.said).toContain('cannot be read (ENOENT)');
  });

  test('is never restored over a company that runs', async () => {
    const { code, said } = await restore(dataDir);
    expect(said).toContain('nothing is restored over it');
    expect(code).toBe(1);
    await pool.query('SELECT 1');
  });

  test.each([
    ['a company that does not exist', () => join(home, 'nowhere'), [] as string[]],
    ['a trial of one that does not exist', () => join(home, 'nowhere'), ['--drill']],
  ])('of %s is refused, and none is made', async (_name, target, args) => {
    const folder = join(home, 'nothing');
    const env = { PURSER_DATA: target(), PURSER_BACKUPS: folder };
    const { code, said } =
      args.length === 0 ? await backup(env) : await restore(target(), args, env);
    expect(said).toBe(
      `There is no Purser in ${target()} yet; set PURSER_DATA to the data folder of one, or start it once.\n`,
    );
    expect(code).toBe(1);
    expect(existsSync(target()) || existsSync(folder)).toBe(false);
  });

  test.each([
    ['is a file', 'a-file', 'the folder cannot be written (ENOTDIR)'],
    ['is below a file', 'a-file/backups', 'the folder cannot be written (ENOTDIR)'],
    ['is the data folder', 'data', 'is the data folder. Set PURSER_BACKUPS to'],
    ['is in a folder of it', 'data/files/backups', 'is within a folder of the data folder'],
    ['leads there', 'link/files/backups', 'is within a folder of the data folder'],
  ])('whose folder %s is refused in one sentence', async (_name, folder, words) => {
    writeFileSync(join(home, 'a-file'), '');
    if (!existsSync(join(home, 'link'))) symlinkSync(dataDir, join(home, 'link'));
    const { code, said } = await backup({ PURSER_BACKUPS: join(home, folder) });
    expect(said).toContain(words);
    expect(said.trim()).not.toContain('\n');
    expect(code).toBe(1);
  });

  test('is restored into no file, and out of none', async () => {
    const file = join(home, 'a-file');
    writeFileSync(file, '');
    const into = await restore(file);
    expect(into.said).toMatch(/a-file cannot be read \(ENOTDIR\); nothing is restored over it/);
    const outOf = await restore(join(home, 'out'), [], { PURSER_BACKUPS: file });
    expect(outOf.said).toMatch(/a-file cannot be read \(ENOTDIR\)\. Set PURSER_BACKUPS/);
    expect([into.code, outOf.code]).toEqual([1, 1]);
  });

  test('that finds the disk full says so and leaves the earlier ones', async (context) => {
    const { path } = smallDiskFor(context, 1);
    const { code, said } = await backup({ PURSER_BACKUPS: path });
    expect(said).toContain('there is no room left. Make room there, and start again.');
    expect(code).toBe(1);
    expect(readdirSync(path)).toEqual([]);
    // The database works on, and holds no log back for a copy that nobody makes any more.
    // PostgreSQL drops the slot when it notices that the copier is gone.
    await until(async () => {
      const { rows } = await pool.query('SELECT FROM pg_replication_slots');
      return rows.length === 0;
    });
  });

  test('is not restored to the root of a disk, and the sentence says where to', async (context) => {
    const { path } = smallDiskFor(context, 1);
    const { code, said } = await restore(path);
    expect(said).toContain(`Nothing was restored, because ${path} cannot be replaced`);
    expect(said).toContain('(EBUSY). Name a new folder in PURSER_DATA');
    expect(code).toBe(1);
    expect([readdirSync(path), existsSync(`${path}.restoring`)]).toEqual([[], false]);
  });

  test('that has no room where it is restored leaves nothing there', async (context) => {
    const { path } = smallDiskFor(context, 20);
    const { code, said } = await restore(join(path, 'restored'));
    expect(said).toContain(`The disk of ${path} is full. Make room on it, and start again.`);
    expect(code).toBe(1);
    expect(readdirSync(path)).toEqual([]);
  });

  test('is deleted when it is old, and never the newest two', async () => {
    leaveNewest();
    const former = newestBackup();
    const old = [copyOf(62), copyOf(31)];
    const { code, said } = await backup();
    for (const path of old) expect(said).toContain(`Deleted ${path}, which is older than 30 days.`);
    expect(code).toBe(0);
    expect(listBackups(backups).map(({ path }) => path)).toEqual([former, newestBackup()]);
    expect(statSync(newestBackup()).mode & 0o777).toBe(0o700);
  });

  test('by a clock that jumped deletes none, and says so', async () => {
    const old = [copyOf(801), copyOf(800)];
    const { code, said } = await backup();
    expect(said).toContain('No backup was deleted for its age, because a clock may be wrong: ');
    expect(code).toBe(0);
    for (const path of old) {
      expect(existsSync(path)).toBe(true);
      rmSync(path, { recursive: true });
    }
  });

  test('is made all the same where an old one cannot be deleted', async (context) => {
    leaveNewest();
    const [old] = [copyOf(62), copyOf(31)];
    vi.stubEnv('TMPDIR', old);
    smallDiskFor(context, 1);
    const { code, said } = await backup();
    expect(said).toContain('and read back');
    expect(said).toContain(`${old} is older than 30 days and could not be deleted (`);
    expect(code).toBe(0);
  });

  test('takes a public key, and an embedded database', async () => {
    expect((await backup({ PURSER_BACKUP_KEY: '' })).said).toContain(
      'PURSER_BACKUP_KEY is missing',
    );
    expect((await backup({ PURSER_BACKUP_KEY: 'age1x' })).said).toContain('no public key of age');
    const own = { DATABASE_URL: 'postgresql://owner@db/purser' };
    expect((await backup(own)).said).toContain('PostgreSQL of your own');
  });
});
