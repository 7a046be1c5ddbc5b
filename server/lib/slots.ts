import { AppError } from './errors.ts';
import { LIMITS } from './limits.ts';

/** Limits concurrent work; the rest waits in order. */
export class Slots {
  #free: number;
  readonly #waitMs: number;
  readonly #waiting: (() => void)[] = [];

  /** @param waitMs maximum wait */
  constructor(count: number, waitMs: number) {
    this.#free = count;
    this.#waitMs = waitMs;
  }

  /** @throws {AppError} `unavailable` after waiting too long */
  async run<T>(work: () => Promise<T>): Promise<T> {
    await this.#take();
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#free += 1;
      else next();
    }
  }

  async #take(): Promise<void> {
    if (this.#free > 0) {
      this.#free -= 1;
      return;
    }
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const timer = setTimeout(() => {
      this.#waiting.splice(this.#waiting.indexOf(resolve), 1);
      reject(new AppError('unavailable'));
    }, this.#waitMs);
    this.#waiting.push(resolve);
    await promise.finally(() => clearTimeout(timer));
  }
}

/** Runs a money request of a person, or of an API key, when it is its turn. */
export type TakeTurn = <T>(principalId: string, request: () => Promise<T>) => Promise<T>;

/**
 * Lets one person have a few money requests in progress in this process, so that theirs alone never hold all
 * connections to the database. Further ones wait in order, up to a number; the rest is refused.
 *
 * @returns throws AppError `too_many_requests`, and `unavailable` after waiting too long
 */
export function createTurns(): TakeTurn {
  const { inProgress, most, waitMs } = LIMITS.moneyRequests;
  const people = new Map<string, { slots: Slots; count: number }>();
  return async (principalId, request) => {
    const own = people.get(principalId) ?? { slots: new Slots(inProgress, waitMs), count: 0 };
    if (own.count >= most) throw new AppError('too_many_requests', { retryAfterS: 1 });
    people.set(principalId, own);
    own.count += 1;
    try {
      return await own.slots.run(request);
    } finally {
      own.count -= 1;
      if (own.count === 0) people.delete(principalId);
    }
  };
}
