import type { DatabaseConnection, Driver, QueryExecutor, TransactionSettings } from 'kysely';
import { PostgresDialect } from 'kysely';
import type pg from 'pg';
import { invariant } from '#server/lib/errors.ts';
import { refuseUnknownPg } from './batch/known-pg.ts';
import { PooledConnection } from './connection.ts';

/** Kysely's dialect for PostgreSQL, with connections that send statements together. */
export class PooledDialect extends PostgresDialect {
  readonly #pool: pg.Pool;

  /** @throws {Error} for an unknown version of pg, before any statement is sent */
  constructor(pool: pg.Pool) {
    super({ pool });
    refuseUnknownPg();
    this.#pool = pool;
  }

  override createDriver(): Driver {
    return new PooledDriver(this.#pool);
  }
}

const dialects = new WeakMap<QueryExecutor, PooledDialect>();

/** Remembers the dialect of a query builder: `withTx` needs it to open its own transactions. */
export function noteDialect(executor: QueryExecutor, dialect: PooledDialect): void {
  dialects.set(executor, dialect);
}

export function dialectOf(executor: QueryExecutor): PooledDialect {
  return invariant(dialects.get(executor), 'a database is made by createDb');
}

class PooledDriver implements Driver {
  readonly #pool: pg.Pool;
  readonly #types: pg.CustomTypesConfig;

  constructor(pool: pg.Pool) {
    this.#pool = pool;
    this.#types = invariant(pool.options.types, 'createPool names the types');
  }

  async init(): Promise<void> {
    // The pool is open.
  }

  async acquireConnection(): Promise<PooledConnection> {
    return new PooledConnection(await this.#pool.connect(), this.#types);
  }

  async beginTransaction(
    connection: DatabaseConnection,
    { isolationLevel, accessMode }: TransactionSettings,
  ): Promise<void> {
    const isolation = isolationLevel === undefined ? '' : ` isolation level ${isolationLevel}`;
    const access = accessMode === undefined ? '' : ` ${accessMode}`;
    await pooled(connection).beginReading(`${isolation}${access}`);
  }

  async commitTransaction(connection: DatabaseConnection): Promise<void> {
    await pooled(connection).commit();
  }

  async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    await pooled(connection).rollback();
  }

  async releaseConnection(connection: DatabaseConnection): Promise<void> {
    pooled(connection).release();
  }

  async destroy(): Promise<void> {
    await this.#pool.end();
  }
}

/** Connections of this driver only. */
export function pooled(connection: DatabaseConnection): PooledConnection {
  if (connection instanceof PooledConnection) return connection;
  throw new TypeError('a connection of another driver');
}
