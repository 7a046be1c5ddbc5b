import { CamelCasePlugin, Kysely } from 'kysely';
import pg from 'pg';
import { noteDialect, PooledDialect } from './driver.ts';
import type { DB } from './schema.ts';
import { withSearchPath } from './search-path.ts';
import type { Db } from './tx.ts';

/**
 * How PostgreSQL's types become ours: int8 is a `bigint` (money never becomes a float), and a
 * `date` stays the text it was, because a calendar day has no time zone.
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
  /** Most connections at once. */
  max?: number;
  applicationName?: string;
  /** The server ends a statement that runs, or waits for a lock, for longer; none by default. */
  statementTimeoutMs?: number;
  lockTimeoutMs?: number;
  /** Called with what went wrong on a connection nobody is using (a restarted server, say). */
  onError?: (error: Error) => void;
}

/** Opens a pool. The server ends transactions whose client has gone silent. */
export function createPool(options: PoolOptions): pg.Pool {
  const pool = new pg.Pool({
    connectionString: withSearchPath(options.url),
    max: options.max ?? 12,
    types,
    application_name: options.applicationName ?? 'purser',
    connectionTimeoutMillis: 10_000,
    idleTimeoutMillis: 30_000,
    idle_in_transaction_session_timeout: 60_000,
    ...(options.statementTimeoutMs && { statement_timeout: options.statementTimeoutMs }),
    ...(options.lockTimeoutMs && { lock_timeout: options.lockTimeoutMs }),
  });
  pool.on('error', (error) => options.onError?.(error));
  return pool;
}

/** Wraps a pool as the query builder. Column names are camelCase here, snake_case in SQL. */
export function createDb(pool: pg.Pool): Db {
  const dialect = new PooledDialect(pool);
  const plugins = [new CamelCasePlugin({ maintainNestedObjectKeys: true })];
  const db = new Kysely<DB>({ dialect, plugins }) as Db;
  noteDialect(db.getExecutor(), dialect);
  return db;
}
