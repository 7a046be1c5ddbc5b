import pg from 'pg';
import { collector } from './collector.ts';
import type { Prepared } from './collector.ts';

/** A statement to send, and the callback for its outcome. */
export interface Statement {
  text: string;
  values: readonly unknown[];
  /**
   * Name under which the server keeps its plan for the connection; without one it is planned each
   * time.
   */
  name: string | undefined;
  types: pg.CustomTypesConfig;
  readonly done: (error: Error | null, result?: pg.QueryResult) => void;
}

/** The parts of pg's Result that pg's types leave out. */
interface Result extends pg.QueryResult {
  addFields(fields: readonly pg.FieldDef[]): void;
  parseRow(fields: unknown): pg.QueryResultRow;
  addCommandComplete(message: unknown): void;
}

const Result = pg.Result as unknown as new (
  rowMode: undefined,
  types: pg.CustomTypesConfig,
) => Result;
const { prepareValue } = (pg as unknown as { utils: { prepareValue: (value: unknown) => unknown } })
  .utils;

const camelCased = new Map<string, string>();

/**
 * Name of a column in our code. Columns are renamed once for each answer, because Kysely's plugin, which
 * copies each row, took 1.6 µs for a row of 25 columns.
 */
function camelCase(column: string): string {
  let name = camelCased.get(column);
  if (name === undefined) {
    name = column.replaceAll(/_(.)/g, (_all, letter: string) => letter.toUpperCase());
    camelCased.set(column, name);
  }
  return name;
}

/** Sends one statement of a batch and reads its answer, as pg's Query does for one alone. */
export class Answer {
  readonly #statement: Statement;
  readonly #result: Result;
  /** Set when a row could not be read. */
  #unread: Error | null = null;

  constructor(statement: Statement) {
    this.#statement = statement;
    this.#result = new Result(undefined, statement.types);
  }

  get name(): string | undefined {
    return this.#statement.name;
  }

  get text(): string {
    return this.#statement.text;
  }

  /** @throws the error of a value that cannot be sent; then no part of the statement is */
  collect({ parsedStatements, submittedNamedStatements }: Prepared): void {
    const { text, name, values } = this.#statement;
    const ready = values.map(prepareValue);
    const isKnown =
      name !== undefined &&
      (parsedStatements[name] !== undefined || submittedNamedStatements[name] !== undefined);
    collector.add(text, name, isKnown, ready);
    if (name !== undefined && !isKnown) submittedNamedStatements[name] = text;
  }

  handleRowDescription({ fields }: { fields: pg.FieldDef[] }): void {
    for (const field of fields) field.name = camelCase(field.name);
    this.#result.addFields(fields);
  }

  handleDataRow({ fields }: { fields: unknown }): void {
    if (this.#unread !== null) return;
    try {
      this.#result.rows.push(this.#result.parseRow(fields));
    } catch (error) {
      this.#unread = error instanceof Error ? error : new Error(String(error));
    }
  }

  handleCommandComplete(message: unknown): void {
    this.#result.addCommandComplete(message);
  }

  succeed(): void {
    if (this.#unread !== null) this.#statement.done(this.#unread);
    else this.#statement.done(null, this.#result);
  }

  fail(error: Error): void {
    this.#statement.done(this.#unread ?? error);
  }
}
