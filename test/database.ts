import pg from 'pg';
import { inject } from 'vitest';
import { cloneTemplate, dropDatabase, urlOf } from './cluster.ts';

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

/** Connection of this process that makes and drops databases: one for each would take as long as the copy. */
let connecting: Promise<pg.Client> | undefined;

async function connect(connectionString: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString });
  client.on('error', () => (connecting = undefined));
  await client.connect();
  return client;
}

/**
 * A migrated, empty database of its own for a test file or a single test (about 20 ms), on the
 * cluster that global-setup.ts keeps running.
 *
 * @param copied the name of a test database to copy instead, to which nobody is connected
 */
export async function createTestDatabase(copied?: string): Promise<TestDatabase> {
  const { superuserUrl, ownerUrl, appUrl, template } = inject('cluster');
  const connected = () => (connecting ??= connect(superuserUrl));
  const name = await cloneTemplate(await connected(), copied ?? template);
  return {
    superuserUrl: urlOf(superuserUrl, name),
    ownerUrl: urlOf(ownerUrl, name),
    appUrl: urlOf(appUrl, name),
    name,
    drop: async () => dropDatabase(await connected(), name),
  };
}
