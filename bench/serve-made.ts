import { freePort } from '#server/lib/free-port.ts';
import { openBenchDatabase } from './database.ts';
import type { BenchDatabase, BenchDatabaseOptions } from './database.ts';
import { startBenchServer } from './server.ts';
import type { BenchServer } from './server.ts';

/** The created data in a database of its own, with a server until it is disposed of. */
export interface ServedData<Made> extends AsyncDisposable {
  made: Made;
  url: string;
  database: BenchDatabase;
  server: BenchServer;
  /** Time to create it. */
  madeMs: number;
}

/**
 * Creates the data to read, settles the database and starts a server on it. Without fsync, unless
 * requested: for benches that only measure reading.
 *
 * @param environment of the server, besides the variables that every server of the bench has
 */
export async function serveMade<Made>(
  make: (database: BenchDatabase, url: string) => Promise<Made>,
  {
    fsync = false,
    keptIn,
    environment = {},
  }: BenchDatabaseOptions & { environment?: Readonly<Record<string, string>> } = {},
): Promise<ServedData<Made>> {
  await using closing = new AsyncDisposableStack();
  const database = await openBenchDatabase(() => undefined, { fsync, keptIn });
  closing.defer(() => database.close());
  const port = await freePort();
  const url = `http://localhost:${port}`;
  const startedAt = performance.now();
  const made = await make(database, url);
  await database.settle();
  database.markMade();
  const madeMs = performance.now() - startedAt;
  const server = await startBenchServer(database.dataDir, port, environment);
  closing.defer(() => server.stop());
  const kept = closing.move();
  return { made, url, database, server, madeMs, [Symbol.asyncDispose]: () => kept.disposeAsync() };
}
