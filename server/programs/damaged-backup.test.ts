import { createHash } from 'node:crypto';
import {
  appendFileSync,
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  fileOf,
  labelOf,
  listBackups,
  PARTS,
  readBackupManifest,
  writeManifest,
} from '#server/backups/backup-folder.ts';
import type { Manifest } from '#server/backups/backup-folder.ts';
import { readPart, writePart } from '#server/backups/encrypted-part.ts';
import { startEmbedded } from '#server/db/embedded/index.ts';
import { migrate } from '#server/db/migrate.ts';
import { childEnvironment } from '#test/child-environment.ts';
import { runSaid } from '#test/run-said.ts';
import { backupCommand } from './backup.ts';
import { restoreCommand } from './restore.ts';

const home = mkdtempSync(join(tmpdir(), 'purser-damaged-'));
// Under root PostgreSQL is another user, which has to pass through.
chmodSync(home, 0o711);
const dataDir = join(home, 'data');
const backups = join(home, 'backups');
const keyFile = join(home, 'backup.key');
const never = new AbortController().signal;
let recipient = '';

function run(
  command: typeof backupCommand | typeof restoreCommand,
  args: string[],
  env: Readonly<Record<string, string>> = {},
) {
  const known = { PURSER_DATA: dataDir, PURSER_BACKUPS: backups, PURSER_BACKUP_KEY: recipient };
  return runSaid(command, args, { ...childEnvironment(), ...known, ...env });
}
const restore = (target: string, args: string[] = []) =>
  run(restoreCommand, ['--identity', keyFile, ...args], { PURSER_DATA: target });
const newest = () => listBackups(backups).at(-1)?.path ?? '';

/** Copy of the newest backup that a test may change, outside the folder of all. */
function copyOfNewest(name: string): string {
  const path = join(home, name);
  cpSync(newest(), path, { recursive: true });
  return path;
}

/** Writes a manifest whose sums are those of the files. */
function writeTrueSums(path: string, made: Manifest): void {
  const parts = Object.fromEntries(
    PARTS.filter((name) => made.parts[name] !== undefined).map((name) => {
      const bytes = readFileSync(fileOf(path, name));
      return [
        name,
        { bytes: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') },
      ];
    }),
  ) as Manifest['parts'];
  writeManifest(path, { ...made, parts });
}

beforeAll(async () => {
  const { said } = await run(backupCommand, ['--make-key', keyFile]);
  recipient = /^PURSER_BACKUP_KEY=(age1\w+)$/m.exec(said)?.[1] ?? '';
  const database = await startEmbedded({ dataDir, log: () => undefined, fsync: false });
  try {
    await migrate(database.ownerUrl, { log: () => undefined });
    mkdirSync(join(dataDir, 'files'));
    writeFileSync(join(dataDir, 'files', 'image'), 'encrypted');
    await run(backupCommand, []);
    await run(backupCommand, []);
  } finally {
    await database.stop();
  }
});
afterAll(() => rmSync(home, { recursive: true, force: true }));

describe('a backup', () => {
  test.each(['settings.tar.zst.age', 'database.tar.zst.age', 'files.tar.zst.age', 'manifest.json'])(
    'with one byte of %s changed is refused, and nothing is restored',
    async (name) => {
      const path = newest();
      const file = join(path, name);
      const bytes = readFileSync(file);
      const changed = Buffer.from(bytes);
      const at = Math.floor(changed.length / 2);
      changed[at] = (changed[at] ?? 0) ^ 1;
      writeFileSync(file, changed);
      const target = join(home, 'changed');
      const { code, said } = await restore(target);
      writeFileSync(file, bytes);
      expect(said).toMatch(/is not as it was written|was changed/);
      expect(code).toBe(1);
      expect(existsSync(target)).toBe(false);
    },
  );

  test.each([
    ['version', '"version": "', '"version": "1'],
    ['time', '"startedAt": "2', '"startedAt": "3'],
    ['size', '"bytes": ', '"bytes": 1'],
    ['list of parts', '"files": {', '"f1les": {'],
  ])('whose manifest has another %s is refused', async (_name, from, to) => {
    const file = join(newest(), 'manifest.json');
    const manifest = readFileSync(file, 'utf8');
    expect(manifest).toContain(from);
    writeFileSync(file, manifest.replace(from, to));
    const target = join(home, 'changed');
    const { code, said } = await restore(target);
    writeFileSync(file, manifest);
    expect(said).toContain('its manifest.json was changed. Name the folder of another backup');
    expect(code).toBe(1);
    expect(existsSync(target)).toBe(false);
  });

  test('of before manifests had a sum is restored', () => {
    const path = copyOfNewest('without-sum');
    const former = { ...readBackupManifest(path), format: 1 as const, id: undefined };
    writeFileSync(join(path, 'manifest.json'), JSON.stringify(former));
    expect(readBackupManifest(path)).toEqual(former);
  });

  test('with a byte and its sum changed is refused by the encryption', async () => {
    const path = copyOfNewest('longer');
    appendFileSync(fileOf(path, 'files'), 'x');
    writeTrueSums(path, readBackupManifest(path));
    const target = join(home, 'changed');
    const { code, said } = await restore(target, [path]);
    expect(said).toContain('files.tar.zst.age is not as it was written');
    expect(code).toBe(1);
    expect(existsSync(target) || existsSync(`${target}.restoring`)).toBe(false);
  });

  test.each(PARTS)('with the %s of another one and right sums is refused', async (name) => {
    const path = copyOfNewest(`swapped-${name}`);
    copyFileSync(fileOf(listBackups(backups)[0]?.path ?? '', name), fileOf(path, name));
    writeTrueSums(path, readBackupManifest(path));
    const target = join(home, 'changed');
    const { code, said } = await restore(target, [path]);
    expect(said).toContain(`${fileOf(path, name)} is a part of another backup. Name the folder`);
    expect(code).toBe(1);
    expect(existsSync(target) || existsSync(`${target}.restoring`)).toBe(false);
  });

  test.each<[string, (made: Manifest) => Manifest]>([
    ['takes the id of another one', (made) => ({ ...made, id: otherId() })],
    ['leaves out its files', (made) => ({ ...made, parts: { ...made.parts, files: undefined } })],
    ['has another time', (made) => ({ ...made, startedAt: '2030-01-01T00:00:00.000Z' })],
    ['claims to be of format 1', (made) => ({ ...made, format: 1, id: undefined })],
  ])('whose manifest %s, with a right sum, is refused', async (_name, change) => {
    const path = copyOfNewest('changed-manifest');
    writeTrueSums(path, change(readBackupManifest(path)));
    const target = join(home, 'changed');
    const { code, said } = await restore(target, [path]);
    rmSync(path, { recursive: true });
    expect(said).toContain('is a part of another backup');
    expect(code).toBe(1);
    expect(existsSync(target) || existsSync(`${target}.restoring`)).toBe(false);
  });

  test('of format 1, whose parts have no label, is restored', async () => {
    const path = copyOfNewest('format-1');
    const made = readBackupManifest(path);
    const identity = readFileSync(keyFile, 'utf8').trim();
    const room = { recipients: [recipient], checkRoom: () => undefined, stopped: never };
    for (const name of PARTS) {
      const file = fileOf(path, name);
      const tar = await readPart(fileOf(newest(), name), { identity, label: labelOf(made, name) });
      rmSync(file);
      await writePart(file, tar, { ...room, label: undefined });
    }
    writeTrueSums(path, { ...made, format: 1, id: undefined });
    const target = join(home, 'former');
    const { code, said } = await restore(target, [path]);
    expect(said).toContain('The ledger is sound.');
    expect(code).toBe(0);
    expect(readFileSync(join(target, 'files', 'image'), 'utf8')).toBe('encrypted');
  });
});

function otherId(): string {
  return readBackupManifest(listBackups(backups)[0]?.path ?? '').id ?? '';
}
