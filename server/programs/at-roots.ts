import type { RootStore } from '#server/lib/root-store.ts';
import { errorCode, StartError } from '#server/lib/start-error.ts';

/**
 * Reads or writes the place of the roots.
 *
 * @param without what is not done where that fails: "Nothing is recorded"
 * @throws {StartError} naming the place and the reason
 */
export async function atRoots<T>(
  { place }: RootStore,
  without: string,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw new StartError(
      `${without}, because ${place} cannot be used (${errorCode(error) ?? String(error)}). Make it reachable for this user, and run the command again.`,
      { cause: error },
    );
  }
}
