import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openBaseBackup } from '#server/backups/base-backup.ts';
import { unpackInto } from '#server/backups/tar.ts';
import { runAs } from '#server/db/embedded/account.ts';
import type { Account } from '#server/db/embedded/account.ts';
import type { EmbeddedDatabase } from '#server/db/embedded/index.ts';
import { isAlive } from '#server/db/embedded/processes.ts';
import { withClient } from '#server/db/embedded/roles.ts';
import { freePort } from '#server/lib/free-port.ts';
import { childrenOf } from './children-of.ts';
import { until } from './until.ts';

/** A streaming replica of a cluster. */
export interface OwnReplica {
  /** The same address on the replica. */
  urlOf(primaryUrl: string): string;
  /** Stops to apply what arrives, as a replica that is far behind; connections are answered. */
  pause(): Promise<void>;
  resume(): Promise<void>;
  /** Makes it a primary of its own. */
  promote(): Promise<void>;
  /** Stops every process of it: connections stay open and nothing answers. */
  freeze(): void;
  thaw(): void;
  /** Kills every process of it. */
  kill(): Promise<void>;
  start(): Promise<void>;
  close(): Promise<void>;
}

/** Copies a cluster while it runs, by PostgreSQL's own BASE_BACKUP, and starts the copy as a replica. */
export async function openOwnReplica({
  binDir,
  account,
  home,
  database,
}: {
  binDir: string;
  account: Account;
  /** Folder for its data. */
  home: string;
  database: EmbeddedDatabase;
}): Promise<OwnReplica> {
  const dir = mkdtempSync(join(home, 'replica-'));
  const primary = new URL(database.superuserUrl('postgres'));
  await unpackInto(dir, await openBaseBackup(primary.toString()), new AbortController().signal);
  const port = await freePort();
  const source = `host=${primary.hostname} port=${primary.port} user=${primary.username} password=${primary.password}`;
  appendFileSync(
    join(dir, 'postgresql.auto.conf'),
    [
      `port = ${port}`,
      `primary_conninfo = '${source}'`,
      "wal_retrieve_retry_interval = '200ms'",
      // A query that keeps what arrives from being applied is ended immediately.
      'max_standby_streaming_delay = 0',
      '',
    ].join('\n'),
  );
  writeFileSync(join(dir, 'standby.signal'), '');
  if (account !== undefined) {
    execFileSync('chown', ['-R', `${account.uid}:${account.gid}`, dir]);
  }
  const urlOf = (url: string) => Object.assign(new URL(url), { port: String(port) }).toString();
  const pgCtl = (...args: string[]) =>
    runAs(account, join(binDir, 'pg_ctl'), ['-D', dir, '-w', ...args]);
  // The processes of a killed one keep its shared memory until the last of them is gone.
  const start = () =>
    until(() => pgCtl('-l', join(dir, 'server.log'), 'start').then(Boolean, () => false), {
      everyMs: 100,
    });
  const ask = (statement: string) =>
    withClient(urlOf(primary.toString()), (client) => client.query(statement));
  const signal = (name: NodeJS.Signals) => {
    const main = Number(readFileSync(join(dir, 'postmaster.pid'), 'utf8').split('\n')[0]);
    const all = [main, ...childrenOf(main)];
    for (const pid of all) process.kill(pid, name);
    return all;
  };
  await start();
  return {
    urlOf,
    start,
    pause: async () => void (await ask('SELECT pg_wal_replay_pause()')),
    resume: async () => void (await ask('SELECT pg_wal_replay_resume()')),
    promote: async () => void (await ask('SELECT pg_promote()')),
    freeze: () => void signal('SIGSTOP'),
    thaw: () => void signal('SIGCONT'),
    async kill() {
      const all = signal('SIGKILL');
      await until(() => all.every((pid) => !isAlive(pid)));
    },
    close: async () => void (await pgCtl('-m', 'immediate', 'stop').catch(() => undefined)),
  };
}
