import pg from 'pg';
import type { Secrets } from './secrets.ts';

export const OWNER_ROLE = 'purser_owner';
export const APP_ROLE = 'purser_app';

/**
 * Creates the missing ones of the two roles and the database, so that an interrupted start is
 * finished by the next. `purser_owner` owns database and schema and runs the migrations;
 * `purser_app` is the server's own and may only do what migrations grant it.
 */
export async function ensureRolesAndDatabase(
  urlFor: (database: string) => string,
  database: string,
  secrets: Secrets,
): Promise<void> {
  await withClient(urlFor('postgres'), async (client) => {
    await ensureRole(client, OWNER_ROLE, secrets.owner);
    await ensureRole(client, APP_ROLE, secrets.app);
    // The option exists since version 16.
    const choice = (await versionOf(client)) >= 160_000 ? ' WITH INHERIT FALSE' : '';
    await client.query(`GRANT ${APP_ROLE} TO ${OWNER_ROLE}${choice}`);
    await ensureDatabase(client, database);
  });
  await withClient(urlFor(database), async (client) => {
    await client.query(`ALTER SCHEMA public OWNER TO ${OWNER_ROLE}`);
  });
}

/** Runs `work` on one connection and closes it. */
export async function withClient<T>(
  url: string,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** `180004` for 18.4. */
async function versionOf(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ version: number }>(
    "SELECT current_setting('server_version_num')::int AS version",
  );
  return rows[0]?.version ?? 0;
}

/** Sets the password each time, so that the one in the data folder always works. */
async function ensureRole(client: pg.Client, role: string, password: string): Promise<void> {
  const { rowCount } = await client.query('SELECT 1 FROM pg_roles WHERE rolname = $1', [role]);
  const verb = rowCount ? 'ALTER' : 'CREATE';
  await client.query(`${verb} ROLE ${role} LOGIN PASSWORD ${client.escapeLiteral(password)}`);
}

/** Lets only the two roles in, and gives the app role no temporary tables. */
export async function ensureDatabase(client: pg.Client, database: string): Promise<void> {
  const name = client.escapeIdentifier(database);
  const found = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [database]);
  if (!found.rowCount) await client.query(`CREATE DATABASE ${name} OWNER ${OWNER_ROLE}`);
  await client.query(`REVOKE CONNECT, TEMPORARY ON DATABASE ${name} FROM PUBLIC`);
  await client.query(`GRANT CONNECT ON DATABASE ${name} TO ${APP_ROLE}`);
}
