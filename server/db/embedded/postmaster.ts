import {
  appendFileSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { totalmem } from 'node:os';
import { dirname, join } from 'node:path';
import pg from 'pg';
import { freePort } from '#server/lib/free-port.ts';
import { freeBytes, fullDisk } from '#server/lib/full-disk.ts';
import { StartError } from '#server/lib/start-error.ts';
import { runAs } from './account.ts';
import type { Place } from './place.ts';
import { isUnreachable, readPidFile, withClusterPipe } from './postmaster-state.ts';
import { isInTable, isOccupied, mayBePostgres, sleep } from './processes.ts';

const SUPERUSER = 'postgres';
const LOG_MAX_BYTES = 5_000_000;
const START_TIMEOUT_S = 120;
const START_ATTEMPTS = 5;
/** Time for the last processes of a killed postmaster to end: a busy machine keeps them waiting for a processor. */
const LEFT_WITHIN_MS = 60_000;

const MIB = 1024 ** 2;
const GIB = 1024 ** 3;
/** Size of a file of PostgreSQL's log, and somewhat more than that of a new cluster. */
const LOG_FILE_BYTES = 16 * MIB;
const CLUSTER_BYTES = 48 * MIB;

/** URL to connect as superuser; only for bootstrap and tests. */
export function superuserUrl(port: number, password: string, database = 'postgres'): string {
  return `postgresql://${SUPERUSER}:${password}@127.0.0.1:${port}/${database}`;
}

/**
 * Creates a new cluster under a temporary name and renames it, so that an incomplete cluster is
 * never started.
 *
 * @param options.isShipped false for an older PostgreSQL than ours
 * @param options.fsync false where losing it in a power cut is acceptable
 */
export async function initCluster(
  place: Place,
  binDir: string,
  { password, isShipped, fsync }: { password: string; isShipped: boolean; fsync: boolean },
): Promise<void> {
  const { clusterDir, account } = place;
  refuseOccupied(clusterDir);
  const unfinished = `${clusterDir}.unfinished`;
  const passwordFile = `${clusterDir}.password`;
  rmSync(unfinished, { recursive: true, force: true });
  mkdirSync(unfinished, { mode: 0o700 });
  writeFileSync(passwordFile, password, { mode: 0o600 });
  if (account) {
    chownSync(unfinished, account.uid, account.gid);
    chownSync(passwordFile, account.uid, account.gid);
  }
  try {
    // PostgreSQL's own locale, which is the same on every machine; since 17.
    const provider = isShipped ? ['--locale-provider=builtin'] : [];
    const locale = ['-E', 'UTF8', ...provider, '--locale=C.UTF-8'];
    const access = ['-U', SUPERUSER, '-A', 'scram-sha-256', `--pwfile=${passwordFile}`];
    const sync = fsync ? [] : ['--no-sync'];
    await runAs(account, join(binDir, 'initdb'), ['-D', unfinished, ...locale, ...access, ...sync]);
    appendFileSync(join(unfinished, 'postgresql.conf'), "\ninclude 'purser.conf'\n");
  } catch (error) {
    const what = `could not be made in ${clusterDir}`;
    if (freeBytes(dirname(clusterDir)) < CLUSTER_BYTES) throw fullDisk(clusterDir, error);
    throw failure(place, { what, said: stderrOf(error) }, error);
  } finally {
    rmSync(passwordFile, { force: true });
  }
  rmSync(clusterDir, { recursive: true, force: true });
  renameSync(unfinished, clusterDir);
}

/**
 * Port of a postmaster that already serves this cluster (left by a killed process, or in use by
 * another one), proved by connecting to it; `undefined` when there is none. Waits for one that is
 * starting, recovering or stopping.
 */
export async function findRunning(
  clusterDir: string,
  password: string,
): Promise<number | undefined> {
  const pidFile = join(clusterDir, 'postmaster.pid');
  const deadline = Date.now() + START_TIMEOUT_S * 1000;
  while (existsSync(pidFile)) {
    const { pid, port } = readPidFile(clusterDir);
    if (pid === undefined || !isInTable(pid)) return undefined;
    if (!mayBePostgres(pid) && !isOccupied(clusterDir)) {
      if (isUnreachable(clusterDir)) return undefined;
      // PostgreSQL itself would take the zombie, or the program that got the id, for a postmaster
      // and refuse to start. The old one is certainly gone, so its file may be removed.
      rmSync(pidFile, { force: true });
      return undefined;
    }
    if (port !== undefined && (await serves(port, password, clusterDir))) return port;
    if (Date.now() > deadline) {
      throw new StartError(
        `PostgreSQL (process ${pid}) holds ${clusterDir} but does not answer; stop that process and start again.`,
      );
    }
    await sleep(100);
  }
  return undefined;
}

interface PostmasterOptions {
  fsync: boolean;
  isSized: boolean;
  /** False for an older PostgreSQL than ours. */
  isShipped: boolean;
  /** Port to use; default: any free one. */
  port?: number | undefined;
}

/** Starts the postmaster on 127.0.0.1 and returns the port. */
export async function startPostmaster(
  place: Place,
  binDir: string,
  options: PostmasterOptions,
): Promise<number> {
  const { clusterDir, account } = place;
  const logFile = join(clusterDir, 'server.log');
  const leftUntilMs = performance.now() + LEFT_WITHIN_MS;
  for (let attempt = 1; ; attempt += 1) {
    const port = options.port ?? (await freePort());
    writeSettings(place, port, options);
    rotateLog(logFile);
    const logged = existsSync(logFile) ? statSync(logFile).size : 0;
    try {
      const args = ['-D', clusterDir, '-l', logFile, '-w', '-t', String(START_TIMEOUT_S), 'start'];
      await withClusterPipe(clusterDir, (pipe) =>
        runAs(account, join(binDir, 'pg_ctl'), args, [pipe]),
      );
      return port;
    } catch (error) {
      const log = existsSync(logFile) ? readFileSync(logFile).subarray(logged).toString() : '';
      const portTaken = log.includes('could not bind');
      const mayTakeAnother = options.port === undefined && attempt < START_ATTEMPTS;
      if (portTaken && mayTakeAnother) continue;
      if (log.includes('pre-existing shared memory block') && performance.now() < leftUntilMs) {
        await sleep(100);
        continue;
      }
      const said = log.trim() === '' ? stderrOf(error) : log;
      throw failure(place, { what: `in ${clusterDir} did not start`, said }, error);
    }
  }
}

/**
 * Stops the postmaster, ending its connections and writing all data to disk. On a full disk, or where that does not end, it
 * stops immediately: the next start recovers what was committed, from the log.
 */
export async function stopPostmaster(place: Place, binDir: string): Promise<void> {
  if (!existsSync(join(place.clusterDir, 'postmaster.pid')) || isUnreachable(place.clusterDir))
    return;
  const stop = (mode: 'fast' | 'immediate') =>
    runAs(place.account, join(binDir, 'pg_ctl'), [
      '-D',
      place.clusterDir,
      '-m',
      mode,
      '-w',
      '-t',
      '60',
      'stop',
    ]);
  if (isTight(place.clusterDir)) await stop('immediate');
  else await stop('fast').catch(() => stop('immediate'));
}

/** True when the server on this port accepts our password and uses this data directory. */
async function serves(port: number, password: string, clusterDir: string): Promise<boolean> {
  const client = new pg.Client({
    connectionString: superuserUrl(port, password),
    connectionTimeoutMillis: 5000,
  });
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query<{ data_directory: string }>('SHOW data_directory');
    return rows[0]?.data_directory === clusterDir;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
}

/**
 * Writes our settings to a file of their own that postgresql.conf includes, again at each start. PostgreSQL listens only
 * on the loopback address, and every connection needs a password. The log gets no statements and no
 * values, which could be personal data.
 */
function writeSettings(
  { clusterDir, account }: Place,
  port: number,
  { fsync, isSized, isShipped }: PostmasterOptions,
): void {
  const settings = [
    `port = ${port}`,
    "listen_addresses = '127.0.0.1'",
    "unix_socket_directories = ''",
    'max_connections = 200',
    "timezone = 'UTC'",
    "log_timezone = 'UTC'",
    'log_error_verbosity = terse',
    'log_min_error_statement = panic',
    'jit = off',
    'checkpoint_timeout = 15min',
    ...(isSized
      ? sizesFor({ memoryBytes: usableMemory(), freeBytes: freeBytes(clusterDir) })
      : ["max_wal_size = '2GB'"]),
    ...(fsync
      ? []
      : [
          'fsync = off',
          'full_page_writes = off',
          'synchronous_commit = off',
          // Since version 18.
          ...(isShipped ? ['file_copy_method = clone'] : []),
        ]),
  ];
  const file = join(clusterDir, 'purser.conf');
  writeFileSync(file, `${settings.join('\n')}\n`, { mode: 0o600 });
  if (account) chownSync(file, account.uid, account.gid);
}

/**
 * Settings for the memory and the disk of the machine. A payroll of a million people writes each page of its tables and
 * indexes several times: with too little memory each time to disk, and with a short log whole pages to the log again after
 * each checkpoint. The memory is taken as it is needed, and the log shrinks when there is less to write.
 */
export function sizesFor(machine: { memoryBytes: number; freeBytes: number }): string[] {
  const between = (least: number, most: number, bytes: number) =>
    `${Math.floor(Math.min(Math.max(bytes, least), most) / MIB)}MB`;
  return [
    `shared_buffers = '${between(128 * MIB, 8 * GIB, machine.memoryBytes / 4)}'`,
    `max_wal_size = '${between(GIB, 16 * GIB, machine.freeBytes / 4)}'`,
    `wal_buffers = '${between(16 * MIB, 64 * MIB, machine.memoryBytes / 256)}'`,
    `work_mem = '${between(4 * MIB, 64 * MIB, machine.memoryBytes / 256)}'`,
  ];
}

/** Memory of the machine, or of the container. */
function usableMemory(): number {
  const limit = process.constrainedMemory();
  return limit > 0 ? Math.min(limit, totalmem()) : totalmem();
}

function rotateLog(path: string): void {
  if (existsSync(path) && statSync(path).size > LOG_MAX_BYTES) renameSync(path, `${path}.1`);
}

function stderrOf(error: unknown): string {
  return error instanceof Error && 'stderr' in error && typeof error.stderr === 'string'
    ? error.stderr
    : String(error);
}

/** True if PostgreSQL may find no room for a further file of its log, without which it ends. */
export function isTight(clusterDir: string): boolean {
  return freeBytes(dirname(clusterDir)) < LOG_FILE_BYTES;
}

/** The error of a cluster that could not be made or started. On a full disk PostgreSQL cannot write why. */
function failure(
  { clusterDir, account }: Place,
  { what, said }: { what: string; said: string },
  cause: unknown,
): StartError {
  const isFull = /no space left on device/i.test(said) || isTight(clusterDir);
  if (isFull) return fullDisk(clusterDir, cause);
  const user = account
    ? `${account.uid}:${account.gid}`
    : `${process.getuid?.()}:${process.getgid?.()}`;
  const advice = /permission denied|invalid permissions|wrong ownership/i.test(said)
    ? `; chown -R ${user} ${clusterDir} && chmod 700 ${clusterDir}`
    : '';
  return new StartError(`The embedded database ${what}: ${lastLine(said)}${advice}`, { cause });
}

/** @throws {StartError} for a folder with anything in it, which would be deleted for a new database */
function refuseOccupied(clusterDir: string): void {
  const found = statSync(clusterDir, { throwIfNoEntry: false });
  if (found === undefined || (found.isDirectory() && readdirSync(clusterDir).length === 0)) return;
  throw new StartError(
    `${clusterDir} holds something and no database (PG_VERSION is missing); restore it from a backup, or move the folder away to start with an empty company.`,
  );
}

/** The last line, without the time and process id that PostgreSQL puts before its log lines. */
function lastLine(text: string): string {
  const line = text.trim().split('\n').at(-1) ?? '';
  return line.replace(/^[-\d]+ [.:\d]+ \w+ \[\d+\] /, '');
}
