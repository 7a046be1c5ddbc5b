import type { Duplex } from 'node:stream';
import pg from 'pg';

/** Prepared statements of a connection, by name; pg's types omit them. */
export interface Prepared {
  /** Texts that PostgreSQL has confirmed. */
  parsedStatements: Record<string, unknown>;
  /** Texts that were sent, and perhaps not confirmed yet. */
  submittedNamedStatements: Record<string, unknown>;
}

/**
 * Methods of pg's Connection that send one statement, with pg's real parameters: its types require
 * more.
 */
interface Sending {
  parse(statement: { text: string; name: string | undefined }): void;
  bind(values: { statement: string | undefined; values: readonly unknown[] }): void;
  describe(portal: { type: 'P'; name: string }): void;
  execute(portal: { portal: string }): void;
}

/**
 * Combines several statements into one message, with the methods by which pg's Connection writes
 * each. There is one for all connections: an object for each message would have a shape that V8 has
 * not compiled for.
 */
class Collector {
  readonly #parts: Uint8Array[] = [];
  readonly #writing: pg.Connection & Sending;

  constructor() {
    const stream = { writable: true, write: (part: Uint8Array) => this.#parts.push(part) > 0 };
    const connection = new pg.Connection({ stream: () => stream as unknown as Duplex });
    this.#writing = connection as pg.Connection & Sending;
  }

  /**
   * Drops the remains of a message that was never sent, so that they cannot go out on another
   * connection.
   */
  begin(): void {
    this.#parts.length = 0;
  }

  /**
   * @param name under which the connection keeps the statement
   * @param isKnown true if the connection already has it
   * @param values as `pg.utils.prepareValue` returns them
   * @throws pg's error for values that are too long; then nothing is added
   */
  add(text: string, name: string | undefined, isKnown: boolean, values: readonly unknown[]): void {
    const before = this.#parts.length;
    try {
      if (!isKnown) this.#writing.parse({ text, name });
      this.#writing.bind({ statement: name, values });
      this.#writing.describe({ type: 'P', name: '' });
      this.#writing.execute({ portal: '' });
    } catch (error) {
      this.#parts.length = before;
      throw error;
    }
  }

  /**
   * Ends the message with one Sync. A statement is four parts: copied together they cost the kernel
   * less.
   */
  end(): Buffer {
    this.#writing.sync();
    return Buffer.concat(this.#parts.splice(0));
  }
}

export const collector = new Collector();
