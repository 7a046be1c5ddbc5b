import { AsyncLocalStorage } from 'node:async_hooks';

/** What Better Auth says by callback alone, in the course of one call to it. */
export interface Told {
  /** The token for a link that is to be mailed. */
  linkToken?: string;
  /** Somebody signed up with an address that has an account. */
  existingUserId?: string;
  /** Whose password was reset. */
  resetUserId?: string;
  /** Whose address was confirmed. */
  confirmedUserId?: string;
}

const current = new AsyncLocalStorage<Told>();

/**
 * Runs a call to Better Auth and hands what its callbacks said to the caller. Better Auth swallows
 * what a callback throws, so callbacks only note, and the caller acts.
 */
export async function listen<T>(call: () => Promise<T>): Promise<{ result: T; told: Told }> {
  const told: Told = {};
  const result = await current.run(told, call);
  return { result, told };
}

/** For Better Auth's callbacks. */
export function tell(what: Told): void {
  Object.assign(current.getStore() ?? {}, what);
}
