import type { CompiledQuery, Kysely } from 'kysely';
import { sql, Transaction } from 'kysely';
import { isOutdatedPlan } from './connection.ts';
import type { PooledConnection } from './connection.ts';
import { InvariantError } from '#server/lib/errors.ts';
import { dialectOf, pooled } from './driver.ts';
import type { DB } from './schema.ts';

declare const openTransaction: unique symbol;
declare const wholeDatabase: unique symbol;

/** The database outside any transaction: can be read, and begins transactions. */
export type Db = Kysely<DB> & { readonly [wholeDatabase]: true };

/**
 * An open transaction. Every function that writes takes one as its first argument, so that nothing
 * can be written outside one by mistake.
 */
export type Tx = Transaction<DB> & { readonly [openTransaction]: true };

/** Parameter of a query that may run inside or outside a transaction. */
export type Reader = Db | Tx;

/** PostgreSQL's codes for failures that a retry of the whole transaction can solve. */
const RETRYABLE = new Set(['40001', '40P01']);
const MAX_ATTEMPTS = 5;

function sqlState(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string'
    ? error.code
    : undefined;
}

/** True for a unique violation, of the named constraint or index when one is given. */
export function isUniqueViolation(error: unknown, constraint?: string): boolean {
  if (sqlState(error) !== '23505') return false;
  if (constraint === undefined) return true;
  return error instanceof Error && 'constraint' in error && error.constraint === constraint;
}

/**
 * Runs `work` in one READ COMMITTED transaction. Any error rolls everything back. A deadlock or
 * serialization failure is retried whole, so `work` must do nothing outside the transaction that it
 * cannot do twice.
 *
 * Statements that `work` requests together (`Promise.all`) are sent together and run in that order;
 * when one fails, the later ones are skipped. BEGIN is sent with the first statement, COMMIT with
 * the rows queued for it (`writtenAtCommit`).
 */
export async function withTx<T>(db: Db, work: (tx: Tx) => T | Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await db
        .getExecutor()
        .provideConnection((connection) => runTx(db, pooled(connection), work));
    } catch (error) {
      if (!isRetryable(error) || attempt >= MAX_ATTEMPTS) throw error;
      await new Promise((resolve) => setTimeout(resolve, attempt * 10 + Math.random() * 20));
    }
  }
}

const connections = new WeakMap<Tx, PooledConnection>();

/**
 * Lets each statement of the transaction take that long, in milliseconds, instead of the pool's
 * limit: for the few that change 100,000 rows and more.
 */
export async function allowStatements(tx: Tx, ms: number): Promise<void> {
  const connection = connections.get(tx);
  if (connection === undefined) throw new InvariantError('a transaction is begun by withTx');
  await connection.allowStatements(ms);
}

/**
 * Plans each statement of the transaction whenever it is sent, and not once per connection: for those that are sent a hundred
 * times, while the tables that they read grow. A plan that was kept from an empty table reads the whole table for each row: the
 * checks of a second payout file of 8,000 payments took 29 s. Rows are joined by their keys, because each of these statements reads
 * some of the rows: a hash or a merge join would read the others as well, each time.
 */
export async function planEachTime(tx: Tx): Promise<void> {
  await sql`
    SELECT set_config('plan_cache_mode', 'force_custom_plan', true), set_config('enable_hashjoin', 'off', true),
           set_config('enable_mergejoin', 'off', true)`.execute(tx);
}

/**
 * Keeps plans from here on, after `planEachTime`: for rows that are written. Otherwise the check of each foreign key is planned for
 * each row, which takes four times as long as the check.
 */
export async function keepPlans(tx: Tx): Promise<void> {
  await sql`set local plan_cache_mode = auto`.execute(tx);
}

/**
 * Lets the COMMIT of the transaction return before its log is on disk, some tenths of a second later. For parts of a longer work
 * that nobody was answered about: a part that is lost with the power is done again as a whole, and whatever was committed after it
 * and is kept, keeps it too, because the log is written in its order.
 */
export async function commitSoon(tx: Tx): Promise<void> {
  await sql`set local synchronous_commit = off`.execute(tx);
}

/**
 * Reads in a transaction in which each statement may take that long, in milliseconds, and may read whole tables: for the few
 * that read 100,000 rows and more.
 */
export async function withLongReads<T>(
  db: Db,
  ms: number,
  read: (tx: Tx) => Promise<T>,
): Promise<T> {
  return withTx(db, async (tx) => {
    await Promise.all([allowStatements(tx, ms), sql`set local enable_seqscan = on`.execute(tx)]);
    return read(tx);
  });
}

async function runTx<T>(
  db: Db,
  connection: PooledConnection,
  work: (tx: Tx) => T | Promise<T>,
): Promise<T> {
  const { tx, end } = openTx(db, connection);
  connections.set(tx, connection);
  try {
    const begun = connection.begin();
    // A BEGIN fails with the connection, and then all later statements do, too; the failure is
    // reported below.
    begun.catch(() => undefined);
    const result = await work(tx);
    end();
    // All in one message: if a row cannot be written, the COMMIT is skipped.
    const written = commitStatements(tx).map((statement) => connection.executeQuery(statement));
    await Promise.all([begun, ...written, connection.commit()]);
    return result;
  } catch (error) {
    end();
    await connection.rollback().catch(() => undefined);
    throw error;
  }
}

/** Kysely's own way would send one statement at a time. */
function openTx(db: Db, connection: PooledConnection): { tx: Tx; end: () => void } {
  let isOver = false;
  const executor = db.getExecutor().withConnectionProvider({
    provideConnection: async (consumer) => {
      if (isOver) throw new InvariantError('a statement was asked for after its transaction');
      return consumer(connection);
    },
  });
  const dialect = dialectOf(db.getExecutor());
  const props = { config: { dialect }, dialect, driver: dialect.createDriver(), executor };
  const tx = new Transaction<DB>(props) as Tx;
  return { tx, end: () => void (isOver = true) };
}

function isRetryable(error: unknown): boolean {
  return RETRYABLE.has(sqlState(error) ?? '') || isOutdatedPlan(error);
}

/**
 * Awaits concurrent promises, and throws the failure of the first in the given order, so that the
 * reported error does not depend on timing.
 */
export async function awaitInOrder<T extends readonly unknown[]>(
  begun: readonly [...{ [Index in keyof T]: Promise<T[Index]> }],
): Promise<T> {
  const outcomes = await Promise.allSettled<unknown>(begun as readonly Promise<unknown>[]);
  const values: unknown[] = [];
  for (const outcome of outcomes) {
    if (outcome.status === 'rejected') throw outcome.reason;
    values.push(outcome.value);
  }
  return values as unknown as T;
}

/** Adds rows of one kind to a transaction. `waiting` returns the rows that its COMMIT will write. */
interface AddsAtCommit<Row> {
  (tx: Tx, ...rows: readonly Row[]): void;
  waiting(reader: Reader): readonly Row[];
}

/** Rows of one kind, written by their owner's statement in the message that carries the COMMIT. */
interface CommitRows {
  name: string;
  write: (rows: readonly unknown[]) => CompiledQuery;
}

const waiting = new WeakMap<Tx, Map<CommitRows, unknown[]>>();

/**
 * Defines rows that a change adds next to its own and that are written with the COMMIT: without a
 * further round trip, and in the same transaction. The module that owns the table defines them, at
 * the top of a file, and gets the function that adds rows to a transaction. That function only
 * queues them: no statement of the transaction finds them (`waiting` does), and a rollback drops
 * them.
 *
 * @param name unique; kinds are written in the order of their names, so that all transactions take
 * their locks in the same order
 * @param write creates the statement; its text must not depend on the rows, so that it is planned once
 */
export function writtenAtCommit<Row>(
  name: string,
  write: (rows: readonly Row[]) => CompiledQuery,
): AddsAtCommit<Row> {
  // Rows stored under a definition were added through it.
  const kind: CommitRows = { name, write: (rows) => write(rows as readonly Row[]) };
  const add = (tx: Tx, ...rows: readonly Row[]) => {
    const kinds = waiting.get(tx) ?? new Map<CommitRows, unknown[]>();
    waiting.set(tx, kinds);
    const known = kinds.get(kind);
    if (known === undefined) kinds.set(kind, [...rows]);
    else known.push(...rows);
  };
  const rowsOf = (reader: Reader) => waiting.get(reader as Tx)?.get(kind) ?? [];
  return Object.assign(add, { waiting: (reader: Reader) => rowsOf(reader) as readonly Row[] });
}

/** Remembers the rows queued so far. Calling the result drops those added since. */
export function rememberCommitRows(tx: Tx): () => void {
  const now = copyOf(waiting.get(tx) ?? new Map<CommitRows, unknown[]>());
  return () => void waiting.set(tx, copyOf(now));
}

/** Statements that write the rows queued for a transaction's COMMIT. */
export function commitStatements(tx: Tx): CompiledQuery[] {
  return [...(waiting.get(tx) ?? [])]
    .filter(([, rows]) => rows.length > 0)
    .toSorted(([a], [b]) => (a.name < b.name ? -1 : 1))
    .map(([{ write }, rows]) => write(rows));
}

function copyOf(kinds: ReadonlyMap<CommitRows, unknown[]>): Map<CommitRows, unknown[]> {
  return new Map(Array.from(kinds, ([kind, rows]) => [kind, [...rows]]));
}
