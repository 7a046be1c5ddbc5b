import { withTx } from '#server/db/tx.ts';
import type { Db, Tx } from '#server/db/tx.ts';
import type { DemoClock } from './clock.ts';

interface Moment {
  at: Date;
  /** Runs in a transaction with what happens before and after it. */
  together?: (tx: Tx) => Promise<void>;
  /** Keeps transactions of its own. */
  alone?: (db: Db) => Promise<void>;
}

/**
 * Events of the demo company, played in order of time, since the ledger takes no entry older
 * than an account's newest. What happens may plan what follows from it; what would lie in the future
 * never happens, so that the newest requests are still open.
 *
 * All that happens between two payrolls shares one transaction: a commit waits for the disk, and a
 * year has thousands of commands. Nobody else uses the database during it, so nothing waits for its
 * locks and no transaction is ever retried.
 */
export class Timeline {
  readonly #now: Date;
  /** Latest first, so that the next one is taken off the end. */
  readonly #moments: Moment[] = [];

  constructor(now: Date) {
    this.#now = now;
  }

  /** Plans commands for a moment. */
  at(at: Date, together: (tx: Tx) => Promise<void>): void {
    this.#plan({ at, together });
  }

  /** Plans something that opens its own transactions. */
  aloneAt(at: Date, alone: (db: Db) => Promise<void>): void {
    this.#plan({ at, alone });
  }

  async play(db: Db, clock: DemoClock): Promise<void> {
    for (let next = this.#moments.at(-1); next !== undefined; next = this.#moments.at(-1)) {
      if (next.alone === undefined) {
        await withTx(db, (tx) => this.#playTogether(tx, clock));
      } else {
        this.#moments.pop();
        clock.set(next.at);
        await next.alone(db);
      }
    }
  }

  async #playTogether(tx: Tx, clock: DemoClock): Promise<void> {
    for (let next = this.#moments.at(-1); next?.together; next = this.#moments.at(-1)) {
      this.#moments.pop();
      clock.set(next.at);
      await next.together(tx);
    }
  }

  #plan(moment: Moment): void {
    if (moment.at >= this.#now) return;
    const index = this.#moments.findLastIndex((other) => other.at > moment.at);
    this.#moments.splice(index + 1, 0, moment);
  }
}
