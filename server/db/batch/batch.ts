import pg from 'pg';
import { Answer } from './answer.ts';
import type { Statement } from './answer.ts';
import { collector } from './collector.ts';
import type { Prepared } from './collector.ts';

/**
 * Statements sent in one message and answered in one: PostgreSQL runs them in order up to the first
 * that fails and skips the rest (its protocol's pipeline, one Sync at the end). A way to the server
 * and back costs more than most of our statements, so those that wait for nothing of each other
 * travel together.
 *
 * pg takes any object with these methods for a query. Writing and reading each statement is left to
 * pg's Connection and Result.
 *
 * @see https://www.postgresql.org/docs/current/protocol-flow.html#PROTOCOL-FLOW-PIPELINING
 */
export class Batch implements pg.Submittable {
  readonly #answers: Answer[];
  /** Whose answer comes next. */
  #current = 0;

  constructor(statements: readonly Statement[]) {
    this.#answers = statements.map((statement) => new Answer(statement));
  }

  /** pg notes by these two what a connection has prepared. */
  get name(): string | undefined {
    return this.#answers[this.#current]?.name;
  }

  get text(): string | undefined {
    return this.#answers[this.#current]?.text;
  }

  submit(connection: pg.Connection): void {
    collector.begin();
    for (const [index, answer] of this.#answers.entries()) {
      try {
        answer.collect(connection as pg.Connection & Prepared);
      } catch (error) {
        const unsent = error instanceof Error ? error : new Error(String(error));
        answer.fail(unsent);
        // What stands behind it must not run without it.
        for (const skipped of this.#answers.splice(index).slice(1)) {
          skipped.fail(skippedError(unsent));
        }
        break;
      }
    }
    if (connection.stream.writable) connection.stream.write(collector.end());
  }

  handleRowDescription(message: { fields: unknown }): void {
    this.#answers[this.#current]?.handleRowDescription(message);
  }

  handleDataRow(message: { fields: unknown }): void {
    this.#answers[this.#current]?.handleDataRow(message);
  }

  handleCommandComplete(message: unknown): void {
    this.#answers[this.#current]?.handleCommandComplete(message);
    this.#current += 1;
  }

  handleEmptyQuery(): void {
    this.#current += 1;
  }

  /** Only now is a statement outside a transaction committed, so nothing is reported before. */
  handleReadyForQuery(): void {
    for (const answer of this.#answers) answer.succeed();
  }

  handleError(error: Error, connection: pg.Connection): void {
    // A failure after the last answer is the commit's at the end of the message.
    const failed = Math.min(this.#current, this.#answers.length - 1);
    const prepared = connection as pg.Connection & Prepared;
    for (const [index, answer] of this.#answers.entries()) {
      if (index < failed) {
        answer.succeed();
        continue;
      }
      if (answer.name !== undefined) delete prepared.submittedNamedStatements[answer.name];
      const isItsOwn = index === failed || isConnectionLost(error);
      answer.fail(isItsOwn ? error : skippedError(error));
    }
  }
}

/** PostgreSQL says by these codes why it ends a connection: a shutdown, a crash, a time-out. */
const CONNECTION_ENDED = /^(?:08|57P|25P03)/;

/** True for the end of the connection, which concerns every statement, unlike a refused one. */
function isConnectionLost(error: Error): boolean {
  return !(error instanceof pg.DatabaseError) || CONNECTION_ENDED.test(error.code ?? '');
}

/** What PostgreSQL says to a statement after a failed one: in_failed_sql_transaction. */
function skippedError(cause: Error): Error {
  const error = new Error('Skipped, because a statement before it failed', { cause });
  return Object.assign(error, { code: '25P02' });
}
