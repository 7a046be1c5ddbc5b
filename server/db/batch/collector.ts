import type { Duplex } from 'node:stream';
import pg from 'pg';

/** What a connection has prepared, by name; pg's types leave it out. */
export interface Prepared {
  /** The texts that PostgreSQL has confirmed. */
  parsedStatements: Record<string, unknown>;
  /** The texts that were sent, and perhaps not yet confirmed. */
  submittedNamedStatements: Record<string, unknown>;
}

/** The parts of pg's Connection that send one statement, as pg has them: its types ask for more. */
interface Sending {
  parse(statement: { text: string; name: string | undefined }): void;
  bind(values: { statement: string | undefined; values: readonly unknown[] }): void;
  describe(portal: { type: 'P'; name: string }): void;
  execute(portal: { portal: string }): void;
}

/**
 * Makes one message of several statements, by the methods with which pg's Connection writes each. There
 * is one for all connections: an object made for each message would have a shape that V8 has not
 * compiled for.
 */
class Collector {
  readonly #parts: Uint8Array[] = [];
  readonly #writing: pg.Connection & Sending;

  constructor() {
    const stream = { writable: true, write: (part: Uint8Array) => this.#parts.push(part) > 0 };
    const connection = new pg.Connection({ stream: () => stream as unknown as Duplex });
    this.#writing = connection as pg.Connection & Sending;
  }

  /** Drops what a message has left that was never sent: it must not go out on another connection. */
  begin(): void {
    this.#parts.length = 0;
  }

  /**
   * @param name under which the connection keeps the statement
   * @param isKnown whether it does already
   * @param values as `pg.utils.prepareValue` gives them
   * @throws what pg throws for values that are too long; then nothing is added
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

  /** With one Sync at its end. A statement is four parts: copied together they cost the kernel less. */
  end(): Buffer {
    this.#writing.sync();
    return Buffer.concat(this.#parts.splice(0));
  }
}

export const collector = new Collector();
