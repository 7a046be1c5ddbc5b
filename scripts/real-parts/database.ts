import { mkdirSync, chownSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { runAs } from '#server/db/embedded/account.ts';
import { withClient } from '#server/db/embedded/roles.ts';
import { freePort } from '#server/lib/free-port.ts';
import { newToken } from '#server/lib/ids.ts';
import { errorCode } from '#server/lib/start-error.ts';
import { documentedConfiguration } from './documented.ts';
import { startPart } from './part.ts';
import type { Part, Place } from './part.ts';
import type { Programs } from './programs.ts';

/** Name of the database and of its owner. */
const NAME = 'purser';

export interface Database extends Part {
  /** Password of the owner. */
  password: string;
  /** Description in words: version, jit, rights of the owner. */
  description: string;
}

/**
 * Starts a PostgreSQL with the settings that it is installed with, and creates in it a database in UTF8 for
 * an owner that may create neither roles nor databases.
 */
export async function startPostgres(place: Place, programs: Programs): Promise<Database> {
  const port = await freePort();
  const home = ownFolder(place, 'postgresql');
  const [cluster, sockets] = [join(home, 'data'), ownFolder(place, 'postgresql/sockets')];
  const [superuser, password] = [newToken(), newToken()];
  const passwordFile = join(home, 'password');
  writeFileSync(passwordFile, superuser, { mode: 0o600 });
  chownSync(passwordFile, place.account.uid, place.account.gid);
  await runAs(place.account, programs.initdb, [
    '--pgdata',
    cluster,
    '--username',
    'postgres',
    '--pwfile',
    passwordFile,
    '--auth',
    'scram-sha-256',
  ]);
  const part = await startPart(place, {
    name: 'postgresql',
    program: programs.postgres,
    args: ['-D', cluster, '-p', String(port), '-k', sockets],
    port,
    isUnprivileged: true,
    // Connections of PgBouncer stay open: the fast mode does not wait for them.
    stopSignal: 'SIGINT',
  });
  try {
    const url = `postgresql://postgres:${superuser}@127.0.0.1:${port}/postgres`;
    await untilStarted(url);
    const description = await createDatabase(url, password);
    return { ...part, password, description };
  } catch (error) {
    await part.stop();
    throw error;
  }
}

const STARTING_UP = '57P03';

/** PostgreSQL takes connections a moment before it is ready for them. */
async function untilStarted(url: string): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      await withClient(url, (client) => client.query('SELECT 1'));
      return;
    } catch (error) {
      if (errorCode(error) !== STARTING_UP || tries === 200) throw error;
      await sleep(50);
    }
  }
}

function createDatabase(url: string, password: string): Promise<string> {
  return withClient(url, async (client) => {
    await client.query(
      `CREATE ROLE ${NAME} LOGIN NOCREATEROLE NOCREATEDB PASSWORD ${client.escapeLiteral(password)}`,
    );
    await client.query(
      `CREATE DATABASE ${NAME} OWNER ${NAME} TEMPLATE template0 ENCODING 'UTF8' LOCALE 'C.UTF-8'`,
    );
    const { rows } = await client.query<{ version: string; jit: string }>(
      `SELECT current_setting('server_version') AS version, current_setting('jit') AS jit`,
    );
    const [{ version, jit } = { version: '?', jit: '?' }] = rows;
    return `PostgreSQL ${version}, jit ${jit}, owner without CREATEROLE and CREATEDB`;
  });
}

/** Places of the documented lines that a run replaces. */
export const PGBOUNCER_PLACES = [
  'port=5432',
  'listen_port = 6432',
  '/etc/pgbouncer/userlist.txt',
] as const;

/** Starts PgBouncer in front of it with the documented lines. */
export async function startPgBouncer(
  place: Place,
  programs: Programs,
  database: Database,
): Promise<Part> {
  const port = await freePort();
  const home = ownFolder(place, 'pgbouncer');
  const [settings, users] = [join(home, 'pgbouncer.ini'), join(home, 'userlist.txt')];
  writeFileSync(users, `"${NAME}" "${database.password}"\n`);
  const [target, listen, userlist] = PGBOUNCER_PLACES;
  const documented = documentedConfiguration('ini', {
    [target]: `port=${database.port}`,
    [listen]: `listen_port = ${port}`,
    [userlist]: users,
  });
  // Debian's own file names a folder of the system for the socket.
  writeFileSync(settings, `${documented}unix_socket_dir =\n`);
  for (const file of [settings, users]) chownSync(file, place.account.uid, place.account.gid);
  return startPart(place, {
    name: 'pgbouncer',
    program: programs.pgbouncer,
    args: [settings],
    port,
    isUnprivileged: true,
    stopSignal: 'SIGTERM',
  });
}

/** The address by which Purser connects as the owner. */
export function databaseUrl({ password }: Database, { port }: Part): string {
  return `postgresql://${NAME}:${password}@127.0.0.1:${port}/${NAME}`;
}

/** A folder of the unprivileged account. */
export function ownFolder({ folder, account }: Place, name: string): string {
  const path = join(folder, name);
  mkdirSync(path, { recursive: true, mode: 0o700 });
  chownSync(path, account.uid, account.gid);
  return path;
}
