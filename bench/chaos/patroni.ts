import { spawn, spawnSync } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { chooseAccount } from '#server/db/embedded/account.ts';
import { withClient } from '#server/db/embedded/roles.ts';
import { freePort } from '#server/lib/free-port.ts';
import { StartError } from '#server/lib/start-error.ts';
import { childrenOf } from '#test/children-of.ts';
import { openCutProxy } from '#test/cut-proxy.ts';
import type { CutProxy } from '#test/cut-proxy.ts';
import { until } from '#test/until.ts';

const ROOT = join(import.meta.dirname, '../..');
const PASSWORD = 'chaos';
const PROGRAMS = { etcd: '/usr/bin/etcd', haproxy: '/usr/sbin/haproxy' };
/** Earlier ones take the lock of the next leader back, whose last seconds are lost (docs/decisions/075). */
const LEAST_PATRONI = '3.0.3';
/** A new member copies the database first, and a stopped one is rewound. */
const WITHIN = { withinMs: 180_000, everyMs: 200 };

/** One machine of the cluster: PostgreSQL with the Patroni that watches it. */
interface Member {
  port: number;
  restPort: number;
  dataDir: string;
  /** Everything between this machine and the other machines; HAProxy and Purser reach it directly. */
  ways: readonly CutProxy[];
  start: () => void;
  /** Process of Patroni, PostgreSQL's first one, and those of its connections. */
  pids: () => number[];
}

/** Three PostgreSQL under Patroni, three etcd, and HAProxy in front, on this machine's loopback. */
export interface PatroniCluster {
  /** Database of the company behind HAProxy, wherever the primary is. */
  ownerUrl: string;
  /** The same database behind HAProxy, on any standby. */
  replicaUrl: string;
  /** Index of the member that etcd and itself hold for the primary; undefined while there is none. */
  primary(): Promise<number | undefined>;
  /** True once one member is the primary and the others stream from it, one of them synchronously. */
  isWhole(): Promise<boolean>;
  members: readonly Member[];
  etcd: readonly Program[];
  proxy: Program;
  close(): Promise<void>;
}

/** A program that is started again with the same settings. */
export interface Program {
  start(): void;
  signal(name: NodeJS.Signals): void;
  /** `kill -9`, until it is gone. */
  kill(): Promise<void>;
}

/** @throws {StartError} where a program is not installed, or Patroni is older than `LEAST_PATRONI` */
export async function openPatroniCluster(): Promise<PatroniCluster> {
  const [binDir] = globSync('/usr/lib/postgresql/*/bin').toSorted().toReversed();
  if (binDir === undefined || !Object.values(PROGRAMS).every((path) => existsSync(path))) {
    throw new StartError('Install with: apt install postgresql etcd-server haproxy');
  }
  const patroni = findPatroni();
  await using closing = new AsyncDisposableStack();
  const home = mkdtempSync(join(tmpdir(), 'purser-patroni-'));
  closing.defer(() => rmSync(home, { recursive: true, force: true }));
  chmodSync(home, 0o711);
  const etcd = await startEtcd(home, closing);
  const isHealthy = (port: number) =>
    fetch(`http://127.0.0.1:${port}/health`).then(
      async (reply) => ((await reply.json()) as { health: string }).health === 'true',
      () => false,
    );
  await until(async () => (await Promise.all(etcd.ports.map(isHealthy))).every(Boolean), WITHIN);
  const members: Member[] = [];
  for (const name of ['pg1', 'pg2', 'pg3']) {
    const member = await openMember(
      { name, home, binDir, patroni, etcdPorts: etcd.ports },
      closing,
    );
    member.start();
    members.push(member);
    // The first one makes the database that the others copy.
    if (members.length === 1) await until(async () => (await roleOf(member)) === 'primary', WITHIN);
  }
  const [proxyPort, replicaPort] = (await freePorts(2)) as [number, number];
  const settings = join(home, 'haproxy.cfg');
  writeFileSync(settings, haproxySettings(proxyPort, replicaPort, members));
  const proxy = program(PROGRAMS.haproxy, ['-db', '-f', settings], { home, name: 'haproxy' });
  closing.defer(() => proxy.kill());
  const url = (database: string, who: string, port = proxyPort) =>
    `postgresql://${who}:${PASSWORD}@127.0.0.1:${port}/${database}`;
  const roles = () => Promise.all(members.map(roleOf));
  const isWhole = async () =>
    (await roles()).every((role) => role !== null) &&
    (await countStandbys(url('postgres', 'postgres'))) === 2;
  const primary = async () => {
    const found = (await roles()).indexOf('primary');
    return found === -1 ? undefined : found;
  };
  proxy.start();
  await until(isWhole, WITHIN);
  await withClient(url('postgres', 'postgres'), async (client) => {
    await client.query(`CREATE ROLE purser LOGIN CREATEROLE PASSWORD '${PASSWORD}'`);
    await client.query('CREATE DATABASE purser OWNER purser TEMPLATE template0');
  });
  const kept = closing.move();
  return {
    members,
    etcd: etcd.programs,
    proxy,
    ownerUrl: url('purser', 'purser'),
    replicaUrl: url('purser', 'purser', replicaPort),
    primary,
    isWhole,
    close: () => kept.disposeAsync(),
  };
}

/** The first Patroni of the path, where it is new enough and runs as PostgreSQL's user. @throws {StartError} */
function findPatroni(): string {
  const path = (process.env['PATH'] ?? '')
    .split(delimiter)
    .map((folder) => join(folder, 'patroni'))
    .find((file) => existsSync(file));
  const version = path === undefined ? 'none' : patroniVersion(path);
  const compare = new Intl.Collator('en', { numeric: true }).compare;
  if (path === undefined || version === 'none' || compare(version, LEAST_PATRONI) < 0) {
    throw new StartError(
      `Patroni ${LEAST_PATRONI} or newer has to be in the path, and ${version} is: pip install 'patroni[etcd3,psycopg3]'`,
    );
  }
  return path;
}

/** Version that Patroni prints to the user that it will run as; `none` where it prints none. @throws {StartError} */
function patroniVersion(path: string): string {
  const account = chooseAccount(undefined);
  const { error, stdout } = spawnSync(path, ['--version'], {
    encoding: 'utf8',
    ...(account && { uid: account.uid, gid: account.gid }),
  });
  if (error !== undefined) {
    throw new StartError(
      `${account?.name ?? 'This user'} cannot run ${path}: ${error.message}. Its Python has to be readable for that user, as Debian's /usr/bin/python3 is.`,
    );
  }
  return /\d+\.\d+\.\d+/.exec(stdout)?.[0] ?? 'none';
}

/** Role of a member by its own Patroni; null where it does not answer or is neither. */
async function roleOf({ restPort }: Member): Promise<'primary' | 'replica' | null> {
  for (const role of ['primary', 'replica'] as const) {
    const reply = await fetch(`http://127.0.0.1:${restPort}/${role}`, {
      signal: AbortSignal.timeout(1_000),
    }).catch(() => null);
    await reply?.body?.cancel();
    if (reply?.ok === true) return role;
  }
  return null;
}

/** Number of standbys that stream, of which PostgreSQL waits for one; 0 where it waits for none. */
async function countStandbys(superuserUrl: string): Promise<number> {
  return withClient(superuserUrl, async (client) => {
    const { rows } = await client.query<{ syncState: string }>(
      `SELECT sync_state AS "syncState" FROM pg_stat_replication WHERE state = 'streaming'`,
    );
    return rows.some(({ syncState }) => syncState === 'sync') ? rows.length : 0;
  }).catch(() => 0);
}

function program(
  path: string,
  args: readonly string[],
  { home, name, isPostgres = false }: { home: string; name: string; isPostgres?: boolean },
): Program & { pid(): number | undefined } {
  let child: ChildProcess | undefined;
  const account = isPostgres ? chooseAccount(undefined) : undefined;
  return {
    pid: () => child?.pid,
    start() {
      const log = openSync(join(home, `${name}.log`), 'a');
      child = spawn(path, args, {
        cwd: home,
        stdio: ['ignore', log, log],
        detached: true,
        env: { PATH: process.env['PATH'], LC_ALL: 'C.UTF-8', TZ: 'UTC' },
        ...(account && { uid: account.uid, gid: account.gid }),
      });
    },
    signal: (signal) => void child?.kill(signal),
    async kill() {
      if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    },
  };
}

async function startEtcd(home: string, closing: AsyncDisposableStack) {
  const ports = await freePorts(3);
  const peers = await freePorts(3);
  const all = peers.map((port, at) => `etcd${at}=http://127.0.0.1:${port}`).join(',');
  const programs = ports.map((port, at) => {
    const [client, peer] = [port, peers[at]].map((one) => `http://127.0.0.1:${one}`) as [
      string,
      string,
    ];
    const started = program(
      PROGRAMS.etcd,
      [
        '--name',
        `etcd${at}`,
        '--data-dir',
        join(home, `etcd${at}`),
        '--listen-client-urls',
        client,
        '--advertise-client-urls',
        client,
        '--listen-peer-urls',
        peer,
        '--initial-advertise-peer-urls',
        peer,
        '--initial-cluster',
        all,
      ],
      { home, name: `etcd${at}` },
    );
    started.start();
    closing.defer(() => started.kill());
    return started;
  });
  return { ports, programs };
}

async function freePorts(count: number): Promise<number[]> {
  const ports = new Set<number>();
  while (ports.size < count) ports.add(await freePort());
  return [...ports];
}

async function openMember(
  {
    name,
    home,
    binDir,
    patroni: path,
    etcdPorts,
  }: { name: string; home: string; binDir: string; patroni: string; etcdPorts: readonly number[] },
  closing: AsyncDisposableStack,
): Promise<Member> {
  const [port, restPort] = (await freePorts(2)) as [number, number];
  const own = join(home, name);
  mkdirSync(own, { mode: 0o700 });
  const account = chooseAccount(undefined);
  if (account) chownSync(own, account.uid, account.gid);
  const dataDir = join(own, 'data');
  const toEtcd = await Promise.all(etcdPorts.map(openCutProxy));
  const [toPostgres, toRest] = await Promise.all([openCutProxy(port), openCutProxy(restPort)]);
  const ways = [...toEtcd, toPostgres, toRest];
  for (const way of ways) closing.defer(() => way.close());
  const settings = join(own, 'patroni.yml');
  const here = (at: number) => `127.0.0.1:${at}`;
  writeFileSync(
    settings,
    documented('patroni.yml', [
      ['name: pg1', `name: ${name}`],
      ['  listen: 10.0.0.1:8008', `  listen: ${here(restPort)}`],
      ['connect_address: 10.0.0.1:8008', `connect_address: ${here(toRest.port)}`],
      [
        'hosts: [10.0.0.1:2379, 10.0.0.2:2379, 10.0.0.3:2379]',
        `hosts: [${toEtcd.map((way) => here(way.port)).join(', ')}]\n  use_proxies: true`,
      ],
      ['  listen: 10.0.0.1:5432', `  listen: ${here(port)}`],
      ['connect_address: 10.0.0.1:5432', `connect_address: ${here(toPostgres.port)}`],
      ['/var/lib/postgresql/15/main', dataDir],
      ['/usr/lib/postgresql/15/bin', binDir],
      ['/var/lib/postgresql/.pgpass_patroni', join(own, 'pgpass')],
      ['password: choose-one', `password: ${PASSWORD}`],
      ['password: choose-another', `password: ${PASSWORD}`],
      ['10.0.0.0/24', '127.0.0.0/8'],
      [
        '  authentication:',
        `  parameters: { unix_socket_directories: '${own}' }\n  authentication:`,
      ],
    ]),
  );
  chmodSync(settings, 0o644);
  const patroni = program(path, [settings], { home, name, isPostgres: true });
  const postmaster = () => {
    const file = join(dataDir, 'postmaster.pid');
    return existsSync(file) ? Number(readFileSync(file, 'utf8').split('\n')[0]) : 0;
  };
  const pids = () => {
    const found = [patroni.pid() ?? 0, postmaster()].filter((pid) => pid > 0);
    return [...found, ...found.flatMap(childrenOf)];
  };
  closing.defer(() => killAll(pids()));
  return { port, restPort, dataDir, ways, pids, start: () => patroni.start() };
}

/** `kill -9` of processes, of which some may be gone. */
export function killAll(pids: readonly number[]): void {
  signalAll(pids, 'SIGKILL');
}

/** Sends a signal to processes, of which some may be gone. */
export function signalAll(pids: readonly number[], name: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, name);
    } catch {
      // Gone.
    }
  }
}

function haproxySettings(port: number, replicaPort: number, members: readonly Member[]): string {
  return documented('haproxy.cfg', [
    ['bind 127.0.0.1:5000', `bind 127.0.0.1:${port}`],
    ['bind 127.0.0.1:5001', `bind 127.0.0.1:${replicaPort}`],
    ...members.map(({ port: own, restPort }, at): [string, string] => [
      `10.0.0.${at + 1}:5432 port 8008`,
      `127.0.0.1:${own} port ${restPort}`,
    ]),
  ]);
}

/** A file of deploy/ with the addresses of this run. */
function documented(name: string, changes: readonly (readonly [string, string])[]): string {
  return changes.reduce(
    (text, [from, to]) => {
      if (!text.includes(from)) throw new Error(`deploy/${name} has no “${from}”`);
      return text.replaceAll(from, to);
    },
    readFileSync(join(ROOT, 'deploy', name), 'utf8'),
  );
}
