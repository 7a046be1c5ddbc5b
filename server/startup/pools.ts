import type pg from 'pg';
import type { ConnectionWatch } from '#server/db/connection-watch.ts';
import { createPool, createQueuePool } from '#server/db/pool.ts';
import { LIMITS } from '#server/lib/limits.ts';
import type { Log } from '#server/lib/log.ts';

/** Each kind of work has connections of its own, so that none of them can take all. */
const POOLS = {
  requests: {
    create: createPool,
    applicationName: 'purser-requests',
    max: LIMITS.database.requestConnections,
    statementTimeoutMs: LIMITS.database.statementTimeoutMs,
    lockTimeoutMs: LIMITS.database.lockTimeoutMs,
    answerWithinMs: LIMITS.database.requestAnswerMs,
  },
  background: {
    create: createPool,
    applicationName: 'purser-jobs',
    max: LIMITS.database.backgroundConnections,
    answerWithinMs: LIMITS.database.backgroundAnswerMs,
  },
  verification: {
    create: createPool,
    applicationName: 'purser-verification',
    max: LIMITS.database.verificationConnections,
    statementTimeoutMs: LIMITS.verify.statementTimeoutMs,
    answerWithinMs: LIMITS.verify.statementTimeoutMs,
  },
  queue: {
    create: createQueuePool,
    applicationName: 'purser-queue',
    max: LIMITS.database.queueConnections,
    answerWithinMs: LIMITS.database.queueAnswerMs,
  },
};

type PoolName = keyof typeof POOLS;

export type Pools = Readonly<Record<PoolName, pg.Pool>> & {
  /** All of them. */
  byName: Readonly<Record<PoolName, pg.Pool>>;
  /** Waits for what is in use, and closes all connections. */
  end(): Promise<void>;
};

/** Opens the server's pools on a database. */
export function openPools(options: { url: string; connections: ConnectionWatch; log: Log }): Pools {
  const { url, connections, log } = options;
  let isEnding = false;
  const open = (name: PoolName) => {
    const { create, answerWithinMs, ...settings } = POOLS[name];
    return create({
      ...settings,
      url,
      idleInTransactionMs: LIMITS.database.idleInTransactionMs,
      watch: { connections, answerWithinMs },
      onLost(error) {
        // A stopping database ends what the pools have given up but not closed yet.
        if (!isEnding) log.warn({ msg: 'A database connection was lost', pool: name, err: error });
      },
    });
  };
  const pools = {
    requests: open('requests'),
    background: open('background'),
    verification: open('verification'),
    queue: open('queue'),
  };
  return {
    ...pools,
    byName: pools,
    async end() {
      isEnding = true;
      await Promise.all(Object.values(pools).map((pool) => pool.end()));
    },
  };
}
