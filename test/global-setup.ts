import { openTestCluster } from './cluster.ts';

/**
 * Starts the tests' PostgreSQL and makes its template before the first test file, and keeps it
 * running until the last is done. Answers the teardown.
 */
export async function setup(): Promise<() => Promise<void>> {
  const { database } = await openTestCluster();
  return () => database.stop();
}
