import { AsyncLocalStorage } from 'node:async_hooks';

/** What Better Auth says by callback alone, in the course of one call to it. */
export interface Reported {
  /** The token for a link that is to be mailed. */
  linkToken?: string;
  /** A person signed up with an address that has an account. */
  existingUserId?: string;
  /** Of the password that was given. */
  passwordHash?: string;
}

const current = new AsyncLocalStorage<Reported>();

/**
 * Runs a call to Better Auth and hands what its callbacks said to the caller. Better Auth swallows
 * what a callback throws, so callbacks only note, and the caller acts.
 */
export async function listen<T>(
  call: () => Promise<T>,
): Promise<{ result: T; reported: Reported }> {
  const reported: Reported = {};
  const result = await current.run(reported, call);
  return { result, reported };
}

/** For Better Auth's callbacks. */
export function report(what: Reported): void {
  Object.assign(current.getStore() ?? {}, what);
}
