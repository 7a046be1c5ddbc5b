import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { listBackups } from '#server/backups/backup-folder.ts';
import { startEmbedded } from '#server/db/embedded/index.ts';
import { withClient } from '#server/db/embedded/roles.ts';
import { migrate } from '#server/db/migrate.ts';
import { readOrMakeLocalSecrets } from '#server/config/local-secrets.ts';
import { programPath } from '#test/bundle-programs.ts';
import { childEnvironment } from '#test/child-environment.ts';
import { until } from '#test/until.ts';

const home = mkdtempSync(join(tmpdir(), 'purser-stopped-'));
// Under root PostgreSQL is another user, which has to pass through.
chmodSync(home, 0o711);
// Names with a space and a letter beyond ASCII, as a person may give them.
const dataDir = join(home, 'Löhne und data');
const backups = join(home, 'kept backups');
const keyFile = join(home, 'backup key');
const temporary = join(home, 'tmp');
/** Folder of a `tar` that waits in front of the real one. */
const slow = join(home, 'slow');
const [begun, goOn] = [join(slow, 'begun'), join(slow, 'go-on')];
const running = new Set<ChildProcess>();
let PURSER_BACKUP_KEY = '';

interface Program {
  child: ChildProcess;
  ended: Promise<{ code: number | null; said: string }>;
}

function start(name: 'backup' | 'restore' | 'main', args: string[], env = {}): Program {
  const file = name === 'main' ? programPath(name) : join(import.meta.dirname, `${name}.ts`);
  const child = spawn(process.execPath, [file, ...args], {
    env: {
      ...childEnvironment(),
      TMPDIR: temporary,
      PORT: '0',
      PURSER_DATA: dataDir,
      PURSER_BACKUPS: backups,
      PURSER_BACKUP_KEY,
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running.add(child);
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (said += chunk.toString()));
  const ended = once(child, 'close').then(([code]) => {
    running.delete(child);
    return { code: code as number | null, said };
  });
  return { child, ended };
}

/** Starts a command and waits until its first `tar` has begun, which does not go on by itself. */
async function startSlowly(...given: Parameters<typeof start>): Promise<Program> {
  const [name, args, env] = given;
  for (const file of [begun, goOn]) rmSync(file, { force: true });
  const PATH = `${slow}${delimiter}${process.env['PATH']}`;
  const program = start(name, args, { ...env, PATH });
  await until(() => existsSync(begun) || program.child.exitCode !== null);
  expect(program.child.exitCode).toBe(null);
  return program;
}

const restoring = (...more: string[]) => ['--identity', keyFile, ...more];

beforeAll(async () => {
  for (const folder of [temporary, slow]) mkdirSync(folder, { mode: 0o711 });
  const tar = `#!/bin/sh
touch '${begun}'
while [ ! -e '${goOn}' ]; do sleep 0.05; done
export PATH='${process.env['PATH']}'
exec tar "$@"
`;
  writeFileSync(join(slow, 'tar'), tar, { mode: 0o755 });
  const made = await start('backup', ['--make-key', keyFile]).ended;
  PURSER_BACKUP_KEY = /^PURSER_BACKUP_KEY=(\S+)$/m.exec(made.said)?.[1] ?? '';
  const database = await startEmbedded({ dataDir, log: () => undefined, fsync: false });
  await migrate(database.ownerUrl, { log: () => undefined });
  readOrMakeLocalSecrets(dataDir);
  await database.stop();
  await start('backup', []).ended;
});
afterEach(() => {
  for (const child of running) child.kill('SIGKILL');
});
afterAll(() => rmSync(home, { recursive: true, force: true }));

const isDatabaseRunning = () => existsSync(join(dataDir, 'postgres/postmaster.pid'));

async function countTrials(): Promise<unknown> {
  const database = await startEmbedded({ dataDir, log: () => undefined, mustExist: true });
  try {
    const { rows } = await withClient(database.ownerUrl, (client) =>
      client.query('SELECT count(*)::int AS count FROM restore_drill'),
    );
    return rows;
  } finally {
    await database.stop();
  }
}

describe('a backup', () => {
  test('goes on to its end where nobody reads what it prints', async () => {
    const { child, ended } = start('backup', []);
    child.stdout?.destroy();
    expect(await ended).toEqual({ code: 0, said: '' });
    expect(listBackups(backups)).toHaveLength(2);
    expect(isDatabaseRunning()).toBe(false);
  });

  test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
    'that %s stops leaves nothing',
    async (name) => {
      const before = readdirSync(backups);
      const { child, ended } = await startSlowly('backup', []);
      child.kill(name);
      expect(await ended).toEqual({
        code: { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 }[name],
        said: `Stopped: no backup was made in ${backups}. The earlier ones are as they were.\n`,
      });
      expect(readdirSync(backups)).toEqual(before);
      expect(isDatabaseRunning()).toBe(false);
    },
  );
});

describe('a restore', () => {
  test('keeps all others from its folder until it has ended', async () => {
    const target = join(home, 'restored here');
    const into = { PURSER_DATA: target };
    const first = await startSlowly('restore', restoring(), into);
    const before = readdirSync(home).filter((name) => name.startsWith('restored'));
    const refused = [
      ['restore', restoring(), `Another restore into ${target} is in progress. This one changed`],
      ['restore', restoring('--drill'), `A restore into ${target} is in progress. Wait until`],
      ['backup', [], `A restore into ${target} is in progress. Wait until it has ended`],
      ['main', ['--empty'], `A restore into ${target} is in progress. Wait until it has ended`],
    ] as const;
    for (const [name, args, words] of refused) {
      const { code, said } = await start(name, [...args], into).ended;
      expect(said).toContain(words);
      expect(code).toBe(1);
    }
    expect(readdirSync(home).filter((name) => name.startsWith('restored'))).toEqual(before);
    writeFileSync(goOn, '');
    const { code, said } = await first.ended;
    expect(said).toContain('The ledger is sound.');
    expect(code).toBe(0);
    expect(readdirSync(home).filter((name) => name.startsWith('restored'))).toEqual([
      'restored here',
    ]);
  });

  test('that Ctrl-C stops leaves nothing, and a further one begins again', async () => {
    const target = join(home, 'stopped here');
    const { child, ended } = await startSlowly('restore', restoring(), { PURSER_DATA: target });
    child.kill('SIGINT');
    expect(await ended).toEqual({
      code: 130,
      said: `Stopped: nothing was restored into ${target}.\n`,
    });
    expect(readdirSync(home).filter((name) => name.startsWith('stopped'))).toEqual([]);
  });

  test('that is stopped as a trial leaves nothing, and is no failed trial', async () => {
    const before = await countTrials();
    const { child, ended } = await startSlowly('restore', restoring('--drill'));
    child.kill('SIGINT');
    const { code, said } = await ended;
    expect(said).toContain('Stopped: nothing was restored into');
    expect(code).toBe(130);
    expect(readdirSync(temporary)).toEqual([]);
    expect(await countTrials()).toEqual(before);
  });

  test('into a folder that a link leads to fills that folder', async () => {
    const [folder, link] = [join(home, 'linked folder'), join(home, 'link')];
    mkdirSync(folder);
    symlinkSync(folder, link);
    const { code, said } = await start('restore', restoring(), { PURSER_DATA: link }).ended;
    expect(said).toContain('The ledger is sound.');
    expect(code).toBe(0);
    expect(lstatSync(link).isSymbolicLink()).toBe(true);
    expect(readdirSync(folder)).toContain('master-key');
    expect(readdirSync(home).filter((name) => name.startsWith('link'))).toEqual([
      'link',
      'linked folder',
    ]);
  });

  test('finds a folder in use that was empty when it began, and leaves it as it is', async () => {
    const target = join(home, 'used here');
    const { ended } = await startSlowly('restore', restoring(), { PURSER_DATA: target });
    mkdirSync(target);
    writeFileSync(join(target, 'something'), '');
    writeFileSync(goOn, '');
    const { code, said } = await ended;
    expect(said).toContain(
      `${target} holds a company or something else; nothing is restored over it`,
    );
    expect(code).toBe(1);
    expect(readdirSync(target)).toEqual(['something']);
    expect(readdirSync(home).filter((name) => name.startsWith('used'))).toEqual(['used here']);
  });
});
