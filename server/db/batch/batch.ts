import pg from 'pg';
import { Answer } from './answer.ts';
import type { Statement } from './answer.ts';
import { collector } from './collector.ts';
import type { Prepared } from './collector.ts';

/**
 * Statements sent in one message and answered in one. PostgreSQL runs them in order up to the first
 * that fails and skips the rest (its protocol's pipeline, one Sync at the end). A round trip to the
 * server costs more than most of our statements, so independent statements are sent together.
 *
 * pg accepts any object with these methods as a query. Writing and reading each statement is left
 * to pg's Connection and Result.
 *
 * @see https://www.postgresql.org/docs/current/protocol-flow.html#PROTOCOL-FLOW-PIPELINING
 */
export class Batch implements pg.Submittable {
  readonly #answers: Answer[];
  /** Index of the next answer. */
  #current = 0;

  constructor(statements: readonly Statement[]) {
    this.#answers = statements.map((statement) => new Answer(statement));
  }

  /** pg reads these two to note the prepared statements of a connection. */
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
        // Later statements must not run without this one.
        for (const skipped of this.#answers.splice(index).slice(1)) {
          skipped.fail(skippedError(unsent));
        }
        break;
      }
    }
    if (connection.stream.writable) connection.stream.write(collector.end());
  }

  handleRowDescription(message: { fields: pg.FieldDef[] }): void {
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

  /** A statement outside a transaction is committed only now, so nothing is reported earlier. */
  handleReadyForQuery(): void {
    for (const answer of this.#answers) answer.succeed();
  }

  handleError(error: Error, connection: pg.Connection): void {
    // A failure after the last answer belongs to the commit at the end of the message.
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

/** PostgreSQL's codes for the end of a connection: a shutdown, a crash, a time-out. */
const CONNECTION_ENDED = /^(?:08|57P|25P03)/;

/** True for the end of the connection, which concerns every statement, unlike a refused one. */
function isConnectionLost(error: Error): boolean {
  return !(error instanceof pg.DatabaseError) || CONNECTION_ENDED.test(error.code ?? '');
}

/** PostgreSQL's error for a statement after a failed one: in_failed_sql_transaction. */
function skippedError(cause: Error): Error {
  const error = new Error('Skipped, because a statement before it failed', { cause });
  return Object.assign(error, { code: '25P02' });
}
