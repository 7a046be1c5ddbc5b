import type { Duplex } from 'node:stream';
import pg from 'pg';

/** A statement on its way to the server, and who waits for its outcome. */
export interface Statement {
  text: string;
  values: readonly unknown[];
  /** Under this name the server keeps its plan for the connection; left out: planned each time. */
  name: string | undefined;
  types: pg.CustomTypesConfig;
  readonly done: (error: Error | null, result?: pg.QueryResult) => void;
}

/** A statement as pg's Query takes it. Its own properties are copied one by one for each, so it has one. */
class QueryOptions {
  readonly statement: Statement;

  constructor(statement: Statement) {
    this.statement = statement;
  }

  get text(): string {
    return this.statement.text;
  }

  get values(): readonly unknown[] {
    return this.statement.values;
  }

  get name(): string | undefined {
    return this.statement.name;
  }

  get types(): pg.CustomTypesConfig {
    return this.statement.types;
  }

  get queryMode(): string {
    return 'extended';
  }
}

/** The parts of pg's Query that pg calls while an answer comes in, and that pg's types leave out. */
interface Answer extends pg.Submittable {
  readonly name: string | undefined;
  readonly text: string;
  handleRowDescription(message: unknown): void;
  handleDataRow(message: unknown): void;
  handleCommandComplete(message: unknown, connection: pg.Connection): void;
  handleEmptyQuery(connection: pg.Connection): void;
  handleReadyForQuery(connection: pg.Connection): void;
  handleError(error: Error, connection: pg.Connection): void;
}

/** What a connection has prepared, by name; pg's types leave it out. */
interface Prepared {
  parsedStatements: Record<string, unknown>;
  submittedNamedStatements: Record<string, unknown>;
}

/**
 * Takes what pg's queries write to a connection, and makes one message of it. There is one for all
 * connections: a stand-in made for each message would have a shape that V8 has not compiled for.
 */
class Collector extends pg.Connection implements Prepared {
  declare parsedStatements: Prepared['parsedStatements'];
  declare submittedNamedStatements: Prepared['submittedNamedStatements'];
  readonly #parts: Uint8Array[];

  constructor() {
    const parts: Uint8Array[] = [];
    const stream = { writable: true, write: (part: Uint8Array) => parts.push(part) > 0 };
    super({ stream: () => stream as unknown as Duplex });
    this.#parts = parts;
  }

  /** From now on for this connection, until `takeMessage`. */
  begin(connection: pg.Connection): void {
    const { parsedStatements, submittedNamedStatements } = connection as pg.Connection & Prepared;
    this.parsedStatements = parsedStatements;
    this.submittedNamedStatements = submittedNamedStatements;
    this.#parts.length = 0;
  }

  /** There is one, at the end of the message. */
  override sync(): void {}

  /** A statement is four parts: copied together they cost the kernel less than one by one. */
  takeMessage(): Buffer {
    super.sync();
    return Buffer.concat(this.#parts.splice(0));
  }
}

const collector = new Collector();

/**
 * Statements sent in one message and answered in one: PostgreSQL runs them in order up to the first
 * that fails and skips the rest (its protocol's pipeline, one Sync at the end). A way to the server
 * and back costs more than most of our statements, so those that wait for nothing of each other
 * travel together.
 *
 * pg takes any object with these methods for a query. Sending and reading each statement is left to
 * pg's own.
 *
 * @see https://www.postgresql.org/docs/current/protocol-flow.html#PROTOCOL-FLOW-PIPELINING
 */
export class Batch implements pg.Submittable {
  readonly #answers: Answer[];
  /** Whose answer comes next. */
  #current = 0;
  /** Set when a value cannot be sent: from that statement on, nothing was. */
  #unsent: Error | null = null;

  constructor(statements: readonly Statement[]) {
    this.#answers = statements.map((statement) => {
      const options = new QueryOptions(statement) as unknown as pg.QueryConfig;
      return new pg.Query(options, (error, result) => {
        if (error) this.#unsent ??= error;
        statement.done(error ?? null, result as pg.QueryResult);
      }) as unknown as Answer;
    });
  }

  /** pg notes by these two what a connection has prepared. */
  get name(): string | undefined {
    return this.#answers[this.#current]?.name;
  }

  get text(): string | undefined {
    return this.#answers[this.#current]?.text;
  }

  submit(connection: pg.Connection): void {
    collector.begin(connection);
    for (const [index, answer] of this.#answers.entries()) {
      answer.submit(collector);
      if (this.#unsent !== null) {
        // Reported already; what stands behind it must not run without it.
        for (const skipped of this.#answers.splice(index).slice(1)) {
          skipped.handleError(skippedError(this.#unsent), connection);
        }
        break;
      }
    }
    if (connection.stream.writable) connection.stream.write(collector.takeMessage());
  }

  handleRowDescription(message: unknown): void {
    this.#answers[this.#current]?.handleRowDescription(message);
  }

  handleDataRow(message: unknown): void {
    this.#answers[this.#current]?.handleDataRow(message);
  }

  handleCommandComplete(message: unknown, connection: pg.Connection): void {
    this.#answers[this.#current]?.handleCommandComplete(message, connection);
    this.#current += 1;
  }

  handleEmptyQuery(connection: pg.Connection): void {
    this.#answers[this.#current]?.handleEmptyQuery(connection);
    this.#current += 1;
  }

  /** Only now is a statement outside a transaction committed, so nothing is reported before. */
  handleReadyForQuery(connection: pg.Connection): void {
    for (const answer of this.#answers) answer.handleReadyForQuery(connection);
  }

  handleError(error: Error, connection: pg.Connection): void {
    // A failure after the last answer is the commit's at the end of the message.
    const failed = Math.min(this.#current, this.#answers.length - 1);
    const prepared = connection as pg.Connection & Prepared;
    for (const [index, answer] of this.#answers.entries()) {
      if (index < failed) {
        answer.handleReadyForQuery(connection);
        continue;
      }
      if (answer.name !== undefined) delete prepared.submittedNamedStatements[answer.name];
      const isItsOwn = index === failed || isConnectionLost(error);
      answer.handleError(isItsOwn ? error : skippedError(error), connection);
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
