import type { EmbeddedDatabase } from '#server/db/embedded/index.ts';
import { ensureDatabase, withClient } from '#server/db/embedded/roles.ts';
import { migrate } from '#server/db/migrate.ts';
import { schemaAge } from '#server/db/schema-age.ts';
import { errorCode, StartError } from '#server/lib/start-error.ts';

const COPY = 'purser_copy';
/** Code of PostgreSQL for a database with other connections. */
const IN_USE = '55006';

/**
 * Reads a restored database that nobody else uses, by the checks of this version. One of an older version stays as it is,
 * so that the older version can go on with it: a copy is brought to this version, read, and deleted again.
 *
 * @param read is given the URL of the owner
 * @throws {StartError} for a database of a newer version
 */
export async function readOnThisVersion<T>(
  database: EmbeddedDatabase,
  { print, read }: { print: (line: string) => void; read: (url: string) => Promise<T> },
): Promise<T> {
  const age = await schemaAge(database.ownerUrl);
  refuseNewer(age);
  if (age !== 'older') return read(database.ownerUrl);
  print(
    'The backup is of an older version of Purser. A copy of its database is brought to this version, and verified.',
  );
  const asSuperuser = <R>(work: Parameters<typeof withClient<R>>[1]) =>
    withClient(database.superuserUrl('postgres'), work);
  const drop = () => asSuperuser((client) => client.query(`DROP DATABASE IF EXISTS ${COPY}`));
  await drop();
  try {
    await asSuperuser(async (client) => {
      await client.query(`CREATE DATABASE ${COPY} TEMPLATE purser OWNER purser_owner`);
      await ensureDatabase(client, COPY);
    }).catch((error: unknown) => {
      if (errorCode(error) !== IN_USE) throw error;
      throw new StartError(
        'The books were not verified, because a server has started on the restored database. Run "npm run verify" next to it.',
        { cause: error },
      );
    });
    const { ownerUrl } = database.urlsFor(COPY);
    await migrate(ownerUrl, { log: () => undefined });
    return await read(ownerUrl);
  } finally {
    await drop();
  }
}

/** @throws {StartError} for the schema of a newer version */
export function refuseNewer(age: Awaited<ReturnType<typeof schemaAge>>): void {
  if (typeof age === 'string') return;
  throw new StartError(
    `The backup is of a newer version of Purser: this one does not know its migration ${age.unknown}. Use the newer version with it.`,
  );
}
