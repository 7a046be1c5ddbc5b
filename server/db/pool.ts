import { CamelCasePlugin, Kysely } from 'kysely';
import type { PluginTransformResultArgs } from 'kysely';
import pg from 'pg';
import { LIMITS } from '#server/lib/limits.ts';
import type { ConnectionWatch } from './connection-watch.ts';
import { noteDialect, PooledDialect } from './driver.ts';
import type { DB } from './schema.ts';
import { applySettings, sessionOf } from './session.ts';
import type { Settings } from './session.ts';
import type { Db } from './tx.ts';

/**
 * Conversion of PostgreSQL's types: int8 is a `bigint` (money never becomes a float), and a `date`
 * stays text, because a calendar day has no time zone.
 */
const types: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') => {
    if (oid === pg.types.builtins.INT8) return BigInt;
    if (oid === pg.types.builtins.DATE) return (text: string) => text;
    return pg.types.getTypeParser(oid, format);
  }) as typeof pg.types.getTypeParser,
};

export interface PoolOptions {
  url: string;
  /** Maximum number of connections. */
  max?: number;
  applicationName?: string;
  /** The server ends a statement that runs, or waits for a lock, for longer. Default: no limit. */
  statementTimeoutMs?: number;
  lockTimeoutMs?: number;
  /** Maximum wait for a connection, new or from the pool. */
  connectTimeoutMs?: number;
  /** Further settings of PostgreSQL for each connection. */
  settings?: Settings;
  /** The server ends a transaction that is idle for longer. */
  idleInTransactionMs?: number;
  /** Called once for each lost connection, used or idle (when a server restarts, for example). */
  onLost?: (error: Error) => void;
  /** Watches the connections. Without it (tests, commands), the pool waits for a silent one. */
  watch?: PoolWatch;
}

export interface PoolWatch {
  connections: ConnectionWatch;
  /** A connection that leaves a statement unanswered for longer is closed. */
  answerWithinMs: number;
}

/**
 * Opens a pool. The server ends transactions whose client has gone silent; the system looks for
 * dead connections that are idle (TCP keepalive).
 */
export function createPool(options: PoolOptions): pg.Pool {
  return openPool(options, { types });
}

/**
 * Opens a pool for the job queue, which is graphile-worker's own code. It expects PostgreSQL's
 * types as pg reads them (it writes a job's id as JSON, which a bigint cannot be).
 *
 * Its statements are prepared while the queue is short, and then kept. With such a plan, taking the
 * next job would read and sort all waiting ones: 10 ms with 18,000 of them. By its index it takes
 * 0.2 ms.
 */
export function createQueuePool(options: PoolOptions): pg.Pool {
  return openPool(options, {}, { enable_seqscan: 'off', enable_sort: 'off' });
}

function openPool(
  options: PoolOptions,
  config: Pick<pg.PoolConfig, 'types'>,
  more: Settings = {},
): pg.Pool {
  const { statementTimeoutMs, lockTimeoutMs, idleInTransactionMs = 60_000 } = options;
  const { connectTimeoutMs = LIMITS.database.connectTimeoutMs } = options;
  const { url, settings } = sessionOf(options.url, {
    ...more,
    ...options.settings,
    idle_in_transaction_session_timeout: String(idleInTransactionMs),
    ...(statementTimeoutMs && { statement_timeout: String(statementTimeoutMs) }),
    ...(lockTimeoutMs && { lock_timeout: String(lockTimeoutMs) }),
  });
  const pool = new GuardedPool(
    {
      connectionString: url,
      max: options.max ?? 12,
      application_name: options.applicationName ?? 'purser',
      connectionTimeoutMillis: connectTimeoutMs,
      idleTimeoutMillis: 30_000,
      keepAlive: true,
      keepAliveInitialDelayMillis: LIMITS.database.keepAliveMs,
      // oxlint-disable-next-line typescript/no-misused-promises -- pg waits for it; its types do not say so
      onConnect: (client) => applySettings(client, settings),
      ...(options.watch && { Client: clientWatchedBy(options.watch) }),
      ...config,
    },
    options.watch?.connections,
  );
  // An 'error' event without a listener ends the process, and pg emits one on a connection in use
  // as well as on an idle one. The listener stays for the connection's whole life.
  pool.on('connect', (client) => {
    let isLost = false;
    client.on('error', (error) => {
      if (!isLost) options.onLost?.(error);
      isLost = true;
    });
  });
  // The error of an idle connection arrives here, too.
  pool.on('error', () => undefined);
  return pool;
}

type OpenCallback = NonNullable<Parameters<pg.Client['connect']>[0]>;

/**
 * Watches connections from the first moment, before they are open. While the database is known to
 * be lost none is opened: the pool would try one for each caller that waited for a lost one.
 */
function clientWatchedBy({ connections, answerWithinMs }: PoolWatch): typeof pg.Client {
  return class extends pg.Client {
    override connect(): Promise<pg.Client>;
    override connect(callback: OpenCallback): void;
    override connect(callback?: OpenCallback): Promise<pg.Client> | void {
      const refusal = connections.refusal();
      if (refusal === null) {
        connections.add(this, answerWithinMs);
        return callback === undefined ? super.connect() : super.connect(callback);
      }
      if (callback === undefined) return Promise.reject(refusal);
      process.nextTick(callback, refusal);
    }
  };
}

type ConnectCallback = (
  error: Error | undefined,
  client: pg.PoolClient | undefined,
  release: (error?: Error | boolean) => void,
) => void;

/** A pool that refuses callers while the database is known to be lost. */
class GuardedPool extends pg.Pool {
  readonly #watch: ConnectionWatch | undefined;

  constructor(config: pg.PoolConfig, watch: ConnectionWatch | undefined) {
    super(config);
    this.#watch = watch;
  }

  override connect(): Promise<pg.PoolClient>;
  override connect(callback: ConnectCallback): void;
  override connect(callback?: ConnectCallback): Promise<pg.PoolClient> | void {
    const refusal = this.#watch?.refusal() ?? null;
    if (callback === undefined) {
      return refusal === null ? super.connect() : Promise.reject(refusal);
    }
    if (refusal !== null) {
      process.nextTick(callback, refusal, undefined, () => undefined);
      return;
    }
    super.connect((error, client, release) => callback(error, client, onlyOnce(release)));
  }
}

/**
 * graphile-worker 0.18 releases the connection it listens on twice when it is lost while the runner
 * stops (main.js: `release` and `onErrorReleaseClientAndTryAgain`). pg throws at the second time,
 * in a promise that nobody awaits.
 */
function onlyOnce(release: (error?: Error | boolean) => void): typeof release {
  let isReleased = false;
  return (error) => {
    if (isReleased) return;
    isReleased = true;
    release(error);
  };
}

/** Makes the names of queries snake_case. Those of their rows are made camelCase by `Answer`. */
class SnakeCasePlugin extends CamelCasePlugin {
  override async transformResult({ result }: PluginTransformResultArgs) {
    return result;
  }
}

/** Wraps a pool as the query builder. Column names are camelCase here, snake_case in SQL. */
export function createDb(pool: pg.Pool): Db {
  const dialect = new PooledDialect(pool);
  const plugins = [new SnakeCasePlugin()];
  const db = new Kysely<DB>({ dialect, plugins }) as Db;
  noteDialect(db.getExecutor(), dialect);
  return db;
}
