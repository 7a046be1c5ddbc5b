import { afterAll } from 'vitest';
import { cloneTemplate, dropDatabase, openTestCluster, type TestCluster } from './cluster.ts';

export interface TestDatabase {
  /** As `purser_owner`: may do everything in this database, also switch triggers off. */
  ownerUrl: string;
  /** As `purser_app`: what the server may do. */
  appUrl: string;
  /** May do everything, also without a trace. */
  superuserUrl: string;
  name: string;
  /** Drops it. Close every connection first; a busy database is left for the next run to drop. */
  drop(): Promise<void>;
}

/** One use of the cluster per test file: vitest gives each file a fresh module. */
let cluster: Promise<TestCluster> | undefined;

/**
 * A migrated, empty database of its own for a test file or a single test (about 40 ms). Outside
 * the test files' own hooks it needs nothing: the cluster is joined at the first call and left
 * after the file's last test.
 *
 * @param copied the name of a test database to copy instead, to which nobody is connected
 */
export async function createTestDatabase(copied?: string): Promise<TestDatabase> {
  cluster ??= openTestCluster();
  const { database, template } = await cluster;
  const name = await cloneTemplate({ database, template: copied ?? template });
  return {
    ...database.urlsFor(name),
    superuserUrl: database.superuserUrl(name),
    name,
    drop: () => dropDatabase(database, name),
  };
}

afterAll(async () => {
  const opened = await cluster;
  await opened?.database.stop();
});
