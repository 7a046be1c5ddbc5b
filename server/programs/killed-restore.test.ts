import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, beforeEach, expect, test, vi } from 'vitest';
import { makeTrialFolder, removeAbandonedTrials } from '#server/backups/trial-folder.ts';
import { startEmbedded } from '#server/db/embedded/index.ts';
import { removeDataDir } from '#server/db/embedded/place.ts';
import { isAlive, machineName } from '#server/db/embedded/processes.ts';
import { migrate } from '#server/db/migrate.ts';
import { childEnvironment } from '#test/child-environment.ts';
import { backupCommand } from './backup.ts';
import { restoreCommand } from './restore.ts';
import { runCommand } from './run-command.ts';

const home = mkdtempSync(join(tmpdir(), 'purser-killed-'));
// Under root PostgreSQL is another user, which has to pass through.
chmodSync(home, 0o711);
const temporary = join(home, 'tmp');
mkdirSync(temporary, { mode: 0o711 });
beforeEach(() => {
  vi.stubEnv('TMPDIR', temporary);
});
afterAll(() => {
  vi.unstubAllEnvs();
  rmSync(home, { recursive: true });
});

/** Begins a trial in another process, which is killed while its database runs. Returns the process id. */
async function killTrial(): Promise<number> {
  const program = `
    const { makeTrialFolder, trialDataDir } = await import(${JSON.stringify(new URL('../backups/trial-folder.ts', import.meta.url).href)});
    const { startEmbedded } = await import(${JSON.stringify(new URL('../db/embedded/index.ts', import.meta.url).href)});
    const dataDir = trialDataDir(makeTrialFolder());
    await startEmbedded({ dataDir, log: () => undefined, fsync: false });
    process.kill(process.pid, 'SIGKILL');`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program], {
    env: { ...childEnvironment(), TMPDIR: temporary },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const [, signal] = (await once(child, 'exit')) as [null, string];
  expect(signal).toBe('SIGKILL');
  return Number(child.pid);
}

test('a killed trial is stopped and deleted by the next one, and one that works is left', async () => {
  const pid = await killTrial();
  const [left = ''] = readdirSync(temporary);
  expect(left).toMatch(new RegExp(`^purser-drill-${machineName()}\\.${pid}-`));
  const folder = join(temporary, left);
  const postmaster = parseInt(
    readFileSync(join(folder, 'data/postgres/postmaster.pid'), 'utf8'),
    10,
  );
  expect(isAlive(postmaster)).toBe(true);
  const working = join(temporary, `purser-drill-${machineName()}.${process.ppid}-worked`);
  mkdirSync(working);

  const said: string[] = [];
  await removeAbandonedTrials((sentence) => said.push(sentence));
  expect(said).toEqual([`Deleted ${folder}, which a killed trial of a backup had left.`]);
  expect(isAlive(postmaster)).toBe(false);
  expect(readdirSync(temporary)).toEqual([basename(working)]);
  rmSync(working, { recursive: true });
});

test('a trial of another machine or container is left alone for a day', async () => {
  // No process has such an id: the highest of Linux is below.
  const folder = join(temporary, `purser-drill-another-4026530000.${2 ** 30}-letter`);
  mkdirSync(folder);
  const said: string[] = [];
  await removeAbandonedTrials((sentence) => said.push(sentence));
  expect([said, readdirSync(temporary)]).toEqual([[], [basename(folder)]]);
  const yesterday = new Date(Date.now() - 25 * 3_600_000);
  utimesSync(folder, yesterday, yesterday);
  await removeAbandonedTrials((sentence) => said.push(sentence));
  expect([said.length, readdirSync(temporary)]).toEqual([1, []]);
});

test('a company is backed up and tried next to what killed processes left, and nothing stays', async () => {
  const dataDir = join(home, 'data');
  const [key, backups] = [join(home, 'backup.key'), join(home, 'backups')];
  let said = '';
  const run = (command: typeof backupCommand | typeof restoreCommand, args: string[], env = {}) => {
    said = '';
    const print = (line: string) => (said += `${line}\n`);
    const known = { PURSER_DATA: dataDir, PURSER_BACKUPS: backups, ...env };
    return runCommand(command, {
      args,
      env: { ...childEnvironment(), ...known },
      print,
      printError: print,
    });
  };
  await run(backupCommand, ['--make-key', key]);
  const [, PURSER_BACKUP_KEY = ''] = /^PURSER_BACKUP_KEY=(\S+)$/m.exec(said) ?? [];
  const database = await startEmbedded({ dataDir, log: () => undefined, fsync: false });
  await migrate(database.ownerUrl, { log: () => undefined });

  // No process has such an id: the highest of Linux is below.
  const dead = 2 ** 30;
  const unfinished = (machine: string, pid: number) =>
    join(backups, `2026-11-01T00-00-00.000Z.${machine}.${pid}.unfinished`);
  const kept = [unfinished(machineName(), process.ppid), unfinished('another', dead)];
  for (const path of [...kept, unfinished(machineName(), dead)])
    mkdirSync(path, { recursive: true });
  expect(await run(backupCommand, [], { PURSER_BACKUP_KEY }), said).toBe(0);
  const unmounted = join(home, 'mnt');
  const elsewhere = { PURSER_BACKUP_KEY, PURSER_BACKUPS: join(unmounted, 'backups') };
  expect(await run(backupCommand, [], elsewhere)).toBe(1);
  expect(said).toContain(`No backup was made, because there is no ${unmounted}.`);
  expect(existsSync(unmounted)).toBe(false);
  expect(readdirSync(backups).filter((name) => name.endsWith('unfinished'))).toHaveLength(2);
  expect(kept.every((path) => existsSync(path))).toBe(true);

  mkdirSync(join(makeTrialFolder(), 'data.restoring'));
  expect(await run(restoreCommand, ['--identity', key, '--drill']), said).toBe(0);
  expect(said).toContain('which a killed trial of a backup had left.');
  expect(readdirSync(temporary)).toEqual([]);
  await database.stop();
});

test('a start makes no empty company where a restore was killed', async () => {
  const dataDir = join(home, 'target');
  mkdirSync(`${dataDir}.restoring`);
  await expect(startEmbedded({ dataDir, log: () => undefined })).rejects.toThrow(
    `A restore into ${dataDir} has not finished; run it again, or delete ${dataDir}.restoring`,
  );
  expect(existsSync(dataDir)).toBe(false);
});

test('a data folder is deleted with its database elsewhere, and with no other folder', () => {
  const own = join(home, 'purser', '0123456789abcdef-01234567', 'postgres');
  const another = join(home, 'another', 'postgres');
  for (const cluster of [own, another]) {
    const dataDir = join(home, 'pointing');
    for (const path of [cluster, dataDir]) mkdirSync(path, { recursive: true });
    writeFileSync(join(dataDir, 'postgres-location'), `${cluster}\n`);
    removeDataDir(dataDir);
    expect(existsSync(dataDir)).toBe(false);
  }
  expect(existsSync(join(own, '..'))).toBe(false);
  expect(existsSync(another)).toBe(true);
});
