import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import type pg from 'pg';
import { POSITION_COOKIE } from '#contract/identity.ts';
import { migrate } from '#server/db/migrate.ts';
import { createDb, createPool } from '#server/db/pool.ts';
import { openReplica } from '#server/db/replica.ts';
import type { ReadOutcome, Replica, ReplicaLimits } from '#server/db/replica.ts';
import { silentLog } from '#server/lib/log.ts';
import { mountTestApp } from './app.ts';
import type { TestApp } from './app.ts';
import { createPayee } from './factories/money.ts';
import type { Payee } from './factories/money.ts';
import { createAdmin } from './factories/people.ts';
import type { TestDb } from './open-db.ts';
import { openOwnCluster } from './own-cluster.ts';
import type { OwnReplica } from './own-replica.ts';

/** Limits that no busy machine reaches: a read is not sent to the primary because something was slow. */
const PATIENT = {
  lateAtMostMs: 3_600_000,
  compareEveryMs: 100,
  connectTimeoutMs: 60_000,
  statementTimeoutMs: 60_000,
  answerMs: 120_000,
  probe: { probeEveryMs: 100, probeAnswerMs: 60_000, probeRetryMs: 100 },
};

/** One process of Purser. */
export interface ReplicaServer extends TestApp {
  replica: Replica;
  /** Sources of the reads that may be late, since they were last taken. */
  outcomes: () => ReadOutcome[];
}

/** Two processes of Purser on a database that has a replica, with an admin and a person who has money. */
export interface ReplicatedCompany {
  own: OwnReplica;
  database: TestDb;
  /** Connections of the primary that requests use. */
  requests: pg.Pool;
  /** Connections of the primary for reads that the replica does not answer. */
  instead: pg.Pool;
  first: ReplicaServer;
  second: ReplicaServer;
  payee: Payee & { cookie: string };
  admin: { cookie: string };
  openServer(limits?: Partial<ReplicaLimits>): Promise<ReplicaServer>;
  /** The person's own change: it returns the cookie that their browser sends from now on. */
  withdraw(server: ReplicaServer): Promise<string>;
  countWithdrawals(server: ReplicaServer, cookie?: string): Promise<number>;
  /** Runs work while the replica applies nothing that arrives. */
  whilePaused(work: () => Promise<void>): Promise<void>;
  /** True if both processes read the replica, which has all. */
  isSound: () => Promise<boolean>;
  close: () => Promise<void>;
}

export async function openReplicatedCompany(): Promise<ReplicatedCompany> {
  const cluster = await openOwnCluster({ keepsCommits: true });
  const { ownerUrl, appUrl } = cluster.database;
  await migrate(ownerUrl, { log: () => undefined });
  const requests = createPool({ url: appUrl });
  const instead = createPool({ url: appUrl });
  await requests.query(
    'UPDATE company_settings SET payout_cooling_hours = 0, payroll_cancel_seconds = 0',
  );
  const database = {
    db: createDb(requests),
    pool: requests,
    appUrl,
    ownerUrl,
    superuserUrl: cluster.database.superuserUrl('purser'),
    close: () => Promise.resolve(),
  };
  const own = await cluster.openReplica();
  async function openServer(limits: Partial<ReplicaLimits> = {}): Promise<ReplicaServer> {
    const seen: ReadOutcome[] = [];
    const replica = openReplica({
      url: own.urlOf(appUrl),
      db: createDb(instead),
      log: silentLog,
      onOutcome: (outcome) => seen.push(outcome),
      limits: { ...PATIENT, ...limits },
    });
    const app = await mountTestApp(database, { replica });
    return { ...app, replica, outcomes: () => seen.splice(0) };
  }
  const [first, second] = [await openServer(), await openServer()];
  const by = await createAdmin(first.db, first.services);
  const paid = await createPayee(first.db, first.services, {
    admin: by.by,
    fundedMinor: 1_000_000n,
  });
  const confirmed = { isConfirmed: true };
  const payee = { ...paid, cookie: await first.cookieOf(paid.by.actor, confirmed) };
  return {
    own,
    database,
    requests,
    instead,
    first,
    second,
    payee,
    admin: { cookie: await first.cookieOf(by, confirmed) },
    openServer,
    async withdraw(server) {
      const response = await server.ask('POST', '/api/withdrawals', {
        cookie: payee.cookie,
        key: randomUUID(),
        body: {
          walletId: payee.wallet.id,
          bankAccountId: payee.bank.id,
          amount: { minor: '100', currency: 'USD' },
        },
      });
      expect(response.status).toBe(201);
      const [position = ''] = response.headers
        .getSetCookie()
        .flatMap((cookie) => /^purser\.position=\d+/.exec(cookie) ?? []);
      expect(position).toBe(`${POSITION_COOKIE}=${response.headers.get('purser-position')}`);
      return `${payee.cookie}; ${position}`;
    },
    async countWithdrawals(server, cookie = payee.cookie) {
      const reply = await server.ask('GET', '/api/withdrawals?pageSize=100', { cookie });
      const { items } = (await reply.json()) as { items: unknown[] };
      return items.length;
    },
    async whilePaused(work) {
      await own.pause();
      try {
        await work();
      } finally {
        await own.resume();
      }
    },
    async isSound() {
      for (const { replica } of [first, second]) {
        if ((await replica.check()) !== true) return false;
      }
      const flushed = await instead.query('SELECT pg_current_wal_flush_lsn()::text AS position');
      const { position } = flushed.rows[0] as { position: string };
      const asked = 'SELECT pg_last_wal_replay_lsn() >= $1::pg_lsn AS has_all';
      const replayed = await first.replica.pool.query(asked, [position]).catch(() => null);
      return (replayed?.rows[0] as { has_all: boolean } | undefined)?.has_all === true;
    },
    async close() {
      await Promise.all([first, second].map((server) => server.replica.end()));
      await Promise.all([first.close(), second.close()]);
      await Promise.all([requests.end(), instead.end()]);
      await cluster.close();
    },
  };
}
