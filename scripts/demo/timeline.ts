import { withTx } from '#server/db/tx.ts';
import type { Db, Tx } from '#server/db/tx.ts';
import type { DemoClock } from './clock.ts';

interface Moment {
  at: Date;
  /** Runs in a transaction with whatever else happens that day. */
  inDay?: (tx: Tx) => Promise<void>;
  /** Keeps transactions of its own. */
  alone?: (db: Db) => Promise<void>;
}

/**
 * What happens in the demo company, played in order of time, since the ledger takes no entry older
 * than an account's newest. What happens may plan what follows from it; what would lie in the future
 * never happens, so that the newest requests are still open.
 *
 * Everything of a day shares one transaction: a commit waits for the disk, and a year has thousands
 * of commands. Nobody else uses the database meanwhile, so no transaction is ever retried.
 */
export class Timeline {
  readonly #now: Date;
  /** Latest first, so that the next one is taken off the end. */
  readonly #moments: Moment[] = [];

  constructor(now: Date) {
    this.#now = now;
  }

  /** Plans commands for a moment. */
  at(at: Date, inDay: (tx: Tx) => Promise<void>): void {
    this.#plan({ at, inDay });
  }

  /** Plans something that opens its own transactions. */
  aloneAt(at: Date, alone: (db: Db) => Promise<void>): void {
    this.#plan({ at, alone });
  }

  async play(db: Db, clock: DemoClock): Promise<void> {
    for (let next = this.#moments.at(-1); next !== undefined; next = this.#moments.at(-1)) {
      if (next.alone === undefined) {
        await withTx(db, (tx) => this.#playDay(tx, clock));
      } else {
        this.#moments.pop();
        clock.set(next.at);
        await next.alone(db);
      }
    }
  }

  async #playDay(tx: Tx, clock: DemoClock): Promise<void> {
    const day = dayOf(this.#moments.at(-1));
    for (let next = this.#moments.at(-1); next?.inDay; next = this.#moments.at(-1)) {
      if (dayOf(next) !== day) return;
      this.#moments.pop();
      clock.set(next.at);
      await next.inDay(tx);
    }
  }

  #plan(moment: Moment): void {
    if (moment.at >= this.#now) return;
    const index = this.#moments.findLastIndex((other) => other.at > moment.at);
    this.#moments.splice(index + 1, 0, moment);
  }
}

function dayOf(moment: Moment | undefined): string | undefined {
  return moment?.at.toISOString().slice(0, 10);
}
