/**
 * `npm run try-point-in-time`: a PostgreSQL of Debian with pgBackRest as deploy/pgbackrest.conf has it. A server makes the
 * demo company, a whole backup is taken, an administrator is invited, and another one after a moment that is noted. Then
 * the database is killed and deleted, restored to the noted moment, and tried by `npm run restore -- --drill --database`:
 * the first invite is there, the second is not, and the books are sound.
 *
 * Needs `apt install postgresql pgbackrest`. Everything is in a temporary folder on free ports and is removed at the end.
 */
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import {
  appendFileSync,
  chmodSync,
  chownSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { chooseAccount, runAs } from '#server/db/embedded/account.ts';
import { withClient } from '#server/db/embedded/roles.ts';
import { freePort } from '#server/lib/free-port.ts';
import { NODE_FLAGS } from '#server/lib/node-flags.ts';
import { StartError } from '#server/lib/start-error.ts';
import { inviteCommand } from '#server/programs/invite.ts';
import { restoreCommand } from '#server/programs/restore.ts';
import { runCommand } from '#server/programs/run-command.ts';
import type { CommandLine } from '#server/programs/run-command.ts';

const ROOT = join(import.meta.dirname, '../..');
const STANZA = '--stanza=purser';
const TRIES = 600;

const account = chooseAccount(undefined);
const [binDir] = globSync('/usr/lib/postgresql/*/bin').toSorted().toReversed();
if (binDir === undefined || !existsSync('/usr/bin/pgbackrest')) {
  throw new StartError('Install with: apt install postgresql pgbackrest');
}
const home = mkdtempSync(join(tmpdir(), 'purser-point-in-time-'));
chmodSync(home, 0o711);

async function step<T>(name: string, work: () => Promise<T>): Promise<T> {
  const startedMs = performance.now();
  const outcome = await work();
  const seconds = ((performance.now() - startedMs) / 1_000).toFixed(1).padStart(7);
  console.log(`${seconds} s  ${name}`);
  return outcome;
}

function ownFolder(name: string): string {
  const path = join(home, name);
  mkdirSync(path, { mode: 0o700 });
  if (account) chownSync(path, account.uid, account.gid);
  return path;
}

const [cluster, sockets, repo, logs] = ['cluster', 'sockets', 'repo', 'logs'].map(ownFolder) as [
  string,
  string,
  string,
  string,
];
const port = await freePort();
const settings = join(home, 'pgbackrest.conf');
const superuserUrl = `postgresql://postgres@127.0.0.1:${port}/postgres`;
const ownerUrl = `postgresql://purser@127.0.0.1:${port}/purser`;
const environment = {
  PATH: process.env['PATH'],
  PORT: '0',
  PURSER_DATA: join(home, 'purser'),
  DATABASE_URL: ownerUrl,
};

const pgCtl = (...args: string[]) =>
  runAs(account, join(binDir, 'pg_ctl'), ['-D', cluster, '-w', '-t', '120', ...args]);
const pgBackRest = (...args: string[]) =>
  runAs(account, '/usr/bin/pgbackrest', [`--config=${settings}`, STANZA, ...args]);
const startPostgres = () => pgCtl('-l', join(logs, 'postgresql.log'), 'start');

function writeSettings(): void {
  const documented = readFileSync(join(ROOT, 'deploy/pgbackrest.conf'), 'utf8')
    .replace('repo1-path=/var/lib/pgbackrest', `repo1-path=${repo}`)
    .replace(
      'pg1-path=/var/lib/postgresql/15/main',
      `pg1-path=${cluster}\npg1-port=${port}\npg1-socket-path=${sockets}\npg1-user=postgres`,
    )
    .replace(
      'start-fast=y',
      `start-fast=y\nrepo1-cipher-pass=${randomBytes(24).toString('hex')}\nlog-path=${logs}\nlock-path=${logs}`,
    );
  writeFileSync(settings, documented, { mode: 0o600 });
  if (account) chownSync(settings, account.uid, account.gid);
}

async function createCluster(): Promise<void> {
  writeSettings();
  const trust = ['--auth', 'trust', '--username', 'postgres'];
  await runAs(account, join(String(binDir), 'initdb'), [
    '-D',
    cluster,
    '--encoding',
    'UTF8',
    ...trust,
  ]);
  const archive = `/usr/bin/pgbackrest --config=${settings} ${STANZA} archive-push %p`;
  appendFileSync(
    join(cluster, 'postgresql.conf'),
    `port = ${port}\nlisten_addresses = '127.0.0.1'\nunix_socket_directories = '${sockets}'\narchive_mode = on\narchive_command = '${archive}'\narchive_timeout = 60\n`,
  );
  await startPostgres();
  await withClient(superuserUrl, async (client) => {
    await client.query('CREATE ROLE purser LOGIN CREATEROLE');
    await client.query('CREATE DATABASE purser OWNER purser TEMPLATE template0');
  });
  await pgBackRest('stanza-create');
  await pgBackRest('check');
}

/** Runs a server until it is ready, and stops it, so that everything is sealed. */
async function runServer(): Promise<void> {
  const program = join(ROOT, 'server/programs/main.ts');
  const child = spawn(process.execPath, [...NODE_FLAGS, program, '--demo'], {
    env: environment,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let said = '';
  child.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()));
  for (let tries = 0; !said.includes('Purser is ready'); tries += 1) {
    if (child.exitCode !== null || tries > TRIES)
      throw new Error(`The server did not start: ${said}`);
    await sleep(200);
  }
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await ended;
}

async function run(command: (line: CommandLine) => Promise<boolean | void>, ...args: string[]) {
  let said = '';
  const print = (line: string) => (said += `${line}\n`);
  const code = await runCommand(command, { args, env: environment, print, printError: print });
  if (code !== 0) throw new Error(said);
  return said;
}

const invited = () =>
  withClient(ownerUrl, async (client) => {
    const { rows } = await client.query<{ email: string }>(
      'SELECT email FROM admin_invite WHERE email IS NOT NULL ORDER BY created_at',
    );
    return rows.map(({ email }) => email);
  });

async function main(): Promise<void> {
  await step('PostgreSQL with its archive', createCluster);
  await step('A server makes the demo company', runServer);
  await step('A whole backup', () => pgBackRest('backup', '--type=full'));
  const moment = await step('An invite, the moment, and another invite', async () => {
    await run(inviteCommand, 'before@purser.test');
    await sleep(1_000);
    const now = new Date().toISOString().replace('T', ' ').replace('Z', '+00');
    await sleep(1_000);
    await run(inviteCommand, 'after@purser.test');
    await runServer();
    return now;
  });
  await step('The log reaches the archive; the database is killed and deleted', async () => {
    await withClient(superuserUrl, (client) => client.query('SELECT pg_switch_wal()'));
    await pgBackRest('check');
    await pgCtl('-m', 'immediate', 'stop');
    rmSync(cluster, { recursive: true });
    ownFolder('cluster');
  });
  await step(`It is restored to ${moment}`, async () => {
    await pgBackRest('restore', '--type=time', `--target=${moment}`, '--target-action=promote');
    await startPostgres();
    for (let tries = 0; ; tries += 1) {
      const { rows } = await withClient(superuserUrl, (client) =>
        client.query<{ over: boolean }>('SELECT NOT pg_is_in_recovery() AS over'),
      );
      if (rows[0]?.over === true) return;
      if (tries > TRIES) throw new Error('The recovery does not end');
      await sleep(200);
    }
  });
  const there = await invited();
  if (!there.includes('before@purser.test') || there.includes('after@purser.test')) {
    throw new Error(`Invited are ${there.join(', ')}`);
  }
  console.log('            the first invite is there, the second is not');
  const said = await step('The books are verified', () =>
    run(restoreCommand, '--drill', '--database', ownerUrl),
  );
  console.log(said.replaceAll(/^/gm, '            '));
}

try {
  await main();
  console.log('Everything held.');
} catch (error) {
  process.exitCode = 1;
  console.error(`\nFailed: ${error instanceof Error ? error.message : String(error)}`);
  if (error instanceof Error && 'stdout' in error) console.error(String(error.stdout));
} finally {
  await pgCtl('-m', 'immediate', 'stop').catch(() => undefined);
  rmSync(home, { recursive: true, force: true });
}
