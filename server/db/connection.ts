import type { CompiledQuery, DatabaseConnection, QueryResult } from 'kysely';
import type pg from 'pg';
import { LIMITS } from '#server/lib/limits.ts';
import type { Statement } from './batch/answer.ts';
import { Batch } from './batch/batch.ts';
import { allowAnswerWithin, DatabaseUnavailableError } from './connection-watch.ts';
import { forgetStatementNames, isPrepared, statementName } from './statement-names.ts';

/** Commands whose row count is the number of changed rows. */
const CHANGING = new Set(['INSERT', 'UPDATE', 'DELETE', 'MERGE']);

/** The outcome of COMMIT is in the command: ROLLBACK when an earlier statement had failed. */
interface CommandResult<R> extends QueryResult<R> {
  readonly command: string;
}

/**
 * A connection of the pool for the query builder. Statements requested in the same turn of the
 * event loop are sent together (`Batch`). Those in a transaction, and those marked `prepared`, are
 * planned once per connection.
 */
export class PooledConnection implements DatabaseConnection {
  readonly #client: pg.PoolClient;
  readonly #types: pg.CustomTypesConfig;
  #waiting: Statement[] = [];
  #isInTransaction = false;
  #isUnusable = false;

  constructor(client: pg.PoolClient, types: pg.CustomTypesConfig) {
    this.#client = client;
    this.#types = types;
  }

  async executeQuery<R>(query: CompiledQuery): Promise<CommandResult<R>> {
    try {
      const { command, rowCount, rows } = await this.#ask(query.sql, query.parameters);
      return {
        command,
        rows: rows as R[],
        ...(CHANGING.has(command) && { numAffectedRows: BigInt(rowCount ?? 0) }),
      };
    } catch (error) {
      if (isOutdatedPlan(error)) {
        forgetStatementNames();
        if (!this.#isInTransaction) return this.executeQuery(query);
      }
      // The caller's stack says more than that of the socket's event.
      if (error instanceof Error) Error.captureStackTrace(error);
      throw error;
    }
  }

  /**
   * Begins a transaction that changes data; sent with its first statement.
   *
   * The plans of its statements are kept, and so are those of triggers and foreign keys. A plan
   * made while a table was small would read the whole table, also after it had grown: with 15,000
   * withdrawals a request took 1.4 times the processor time. So the plans must use indexes, as far
   * as there are any.
   */
  async begin(): Promise<void> {
    this.#isInTransaction = true;
    await Promise.all([this.#ask('begin', []), this.#ask('set local enable_seqscan = off', [])]);
  }

  /**
   * Begins a transaction that only reads, and may read whole tables.
   *
   * @param how PostgreSQL's words after BEGIN: ` read only`
   */
  async beginReading(how: string): Promise<void> {
    this.#isInTransaction = true;
    await this.#ask(`begin${how}`, []);
  }

  /**
   * Lets each statement of the transaction in progress take that long, in milliseconds. PostgreSQL
   * ends it after that, and the watch of the connections waits a little longer.
   */
  async allowStatements(ms: number): Promise<void> {
    allowAnswerWithin(this.#client, ms + LIMITS.database.answerAfterTimeoutMs);
    await this.#ask("select set_config('statement_timeout', $1, true)", [String(ms)]);
  }

  /**
   * @throws {Error} when the transaction had failed, and so was rolled back
   * @throws {DatabaseUnavailableError} when PostgreSQL gave up to wait for a standby: it reports that as a warning, and
   *   the transaction is lost if the standby takes over
   */
  async commit(): Promise<void> {
    let isReplicated = true;
    const listen = ({ routine }: { routine?: string | undefined }) => {
      if (routine === 'SyncRepWaitForLSN') isReplicated = false;
    };
    this.#client.on('notice', listen);
    try {
      const { command } = await this.#ask('commit', []);
      this.#afterCommit(command, isReplicated);
    } finally {
      this.#client.off('notice', listen);
    }
  }

  #afterCommit(command: string, isReplicated: boolean): void {
    this.#isInTransaction = false;
    allowAnswerWithin(this.#client, null);
    if (!isReplicated) throw new DatabaseUnavailableError('No standby has what was committed');
    if (command === 'ROLLBACK') {
      throw new Error('Nothing was committed: a statement of the transaction had failed');
    }
  }

  async rollback(): Promise<void> {
    this.#isInTransaction = false;
    allowAnswerWithin(this.#client, null);
    try {
      await this.#ask('rollback', []);
    } catch (error) {
      this.#isUnusable = true;
      throw error;
    }
  }

  /** Returns the connection to the pool, or closes it if it is no longer usable. */
  release(): void {
    this.#client.release(this.#isUnusable);
  }

  // oxlint-disable-next-line require-yield -- the pool has no cursors
  async *streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error('Read in pages: there are no cursors here');
  }

  #ask(text: string, values: readonly unknown[]): Promise<pg.QueryResult> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({
        text,
        values,
        name: this.#isInTransaction || isPrepared(text) ? statementName(text) : undefined,
        types: this.#types,
        done: (error, result) => (result === undefined ? reject(error) : resolve(result)),
      });
      // Runs after the continuations of settled promises, which may request more statements.
      if (this.#waiting.length === 1) process.nextTick(() => this.#send());
    });
  }

  #send(): void {
    const statements = this.#waiting;
    this.#waiting = [];
    this.#client.query(new Batch(statements));
  }
}

/** A migration by a newer version has changed a table under a plan that this connection keeps. */
export function isOutdatedPlan(error: unknown): boolean {
  return (
    error instanceof Error &&
    'code' in error &&
    error.code === '0A000' &&
    'routine' in error &&
    error.routine === 'RevalidateCachedQuery'
  );
}
