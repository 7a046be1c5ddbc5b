import { sql } from 'kysely';
import type { Config } from '#server/config/config.ts';
import { startEmbedded } from '#server/db/embedded/index.ts';
import { keepRunning } from '#server/db/embedded/keep-running.ts';
import type { KeepRunningOptions } from '#server/db/embedded/keep-running.ts';
import { actingAsApp, migrate, MIGRATIONS_DIR, readMigrations } from '#server/db/migrate.ts';
import { asNotConnected } from '#server/db/check-database.ts';
import { schemaAge } from '#server/db/schema-age.ts';
import type { Db } from '#server/db/tx.ts';
import { StartError } from '#server/lib/start-error.ts';
import type { Part } from '#server/lib/supervise.ts';

export interface OpenedDatabase {
  /** With the server's own rights: it can append to the books, not rewrite them. */
  appUrl: string;
  /** The same rights on another server with this database. */
  withAppRole: (url: string) => string;
  /** Starts the embedded database again whenever it dies; null where it is not ours to start. */
  keepRunning: ((options: KeepRunningOptions) => Part) | null;
  /** Leaves the database; the embedded one stops with the last to leave. */
  stop(): Promise<void>;
}

type Where = Pick<Config, 'databaseUrl' | 'dataDir'>;
type Say = (sentence: string) => void;

/**
 * Opens the database of a company for a command, and makes or migrates none: an empty company would stand for the one that
 * was meant, and a server of the former version may work in it.
 *
 * @param say called with what takes time
 * @throws StartError where there is no company of this version
 */
export async function openCompany(config: Where, say: Say): Promise<OpenedDatabase> {
  if (config.databaseUrl !== null) {
    await refuseOtherSchema(config.databaseUrl, 'the database of DATABASE_URL');
    return openDatabase(config, say);
  }
  const embedded = await startEmbedded({ dataDir: config.dataDir, log: say, mustExist: true });
  try {
    await refuseOtherSchema(embedded.ownerUrl, config.dataDir);
    return await openDatabase(config, say);
  } finally {
    await embedded.stop();
  }
}

async function refuseOtherSchema(url: string, place: string): Promise<void> {
  const age = await schemaAge(url).catch((error: unknown) => {
    throw asNotConnected(error) ?? error;
  });
  if (age === 'none') {
    throw new StartError(
      `There is no Purser in ${place} yet; name the one that is meant, or start it once.`,
    );
  }
  if (age === 'older') {
    throw new StartError(
      `Purser in ${place} is of an older version. Start this version once, which migrates it, or use the command of the older one.`,
    );
  }
}

/**
 * Opens the configured database, or starts the embedded one, and brings it to this version's schema.
 *
 * @param say called with what takes time
 * @throws StartError
 */
export async function openDatabase(config: Where, say: Say): Promise<OpenedDatabase> {
  if (config.databaseUrl !== null) {
    const { hasAppRole } = await migrate(config.databaseUrl, { log: say });
    const withAppRole = (url: string) => (hasAppRole ? actingAsApp(url) : url);
    const appUrl = withAppRole(config.databaseUrl);
    return { appUrl, withAppRole, keepRunning: null, stop: () => Promise.resolve() };
  }
  const embedded = await startEmbedded({ dataDir: config.dataDir, log: say });
  try {
    await migrate(embedded.ownerUrl, { log: say });
  } catch (error) {
    await embedded.stop().catch(() => undefined);
    throw error;
  }
  return {
    appUrl: embedded.appUrl,
    withAppRole: actingAsApp,
    keepRunning: (options) => keepRunning(embedded, options),
    stop: () => embedded.stop(),
  };
}

/** True if the database answers. */
export async function isReachable(db: Db): Promise<boolean> {
  await sql`select 1`.execute(db);
  return true;
}

/** True if the database has every migration of this version (and perhaps a newer one's too). */
export async function isMigrated(db: Db): Promise<boolean> {
  const { rows } = await sql<{ name: string }>`select name from purser_migration`.execute(db);
  const applied = new Set(rows.map(({ name }) => name));
  return readMigrations(MIGRATIONS_DIR).every(({ name }) => applied.has(name));
}
