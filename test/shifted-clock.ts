import { readFileSync, writeFileSync } from 'node:fs';
import type { Clock } from '#server/lib/clock.ts';

/** A clock that is ahead of the machine's, or behind it, by what a file says: two processes have the same time. */
export class ShiftedClock implements Clock {
  readonly #file: string;

  constructor(file: string) {
    this.#file = file;
  }

  now(): Date {
    return new Date(Date.now() + Number(readFileSync(this.#file, 'utf8')));
  }

  /** Puts it to this time, from which it goes on. */
  set(time: string): void {
    writeFileSync(this.#file, String(Date.parse(time) - Date.now()));
  }
}
