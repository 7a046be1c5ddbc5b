import { AppError } from './errors.ts';

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
