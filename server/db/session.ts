import pg from 'pg';
import { StartError } from '#server/lib/start-error.ts';

/** Settings of PostgreSQL, by name. `role` is the role to act as. */
export type Settings = Readonly<Record<string, string>>;

/**
 * Settings of every connection, whatever the server's defaults are. With PostgreSQL's default
 * search path, tables in a schema named like the role would replace ours; temporary tables come
 * last, or they would come first. Compiling the statements of a posting (`jit`) takes 15 to 30
 * times as long as running them.
 */
const OWN: Settings = { search_path: 'public,pg_temp', jit: 'off' };

/** Address with these settings for every connection to it, after its own. */
export function withSettings(url: string, settings: Settings): string {
  const changed = new URL(url);
  const given = changed.searchParams.get('options');
  const options = Object.entries(settings).map(([name, value]) => `-c ${name}=${value}`);
  changed.searchParams.set('options', [...(given ? [given] : []), ...options].join(' '));
  return changed.toString();
}

/**
 * Splits an address into the one to connect to and the settings to apply afterwards, by
 * `applySettings`. They are not left in the address: a pooler such as PgBouncer refuses `options`,
 * or drops them and lets us act as the owner.
 *
 * @throws StartError when `options` has something other than settings
 */
export function sessionOf(url: string, more: Settings = {}): { url: string; settings: Settings } {
  const plain = new URL(url);
  const options = plain.searchParams.get('options') ?? '';
  plain.searchParams.delete('options');
  return { url: plain.toString(), settings: { ...readOptions(options), ...OWN, ...more } };
}

/** `-c name=value`, `-cname=value` and `--name=value`, as PostgreSQL reads them. */
function readOptions(options: string): Record<string, string> {
  const settings: Record<string, string> = {};
  const rest = options.replaceAll(
    /(?:^|\s+)(?:-c\s*|--)([a-z_][\w.-]*)=((?:\\.|[^\s\\])*)(?=\s|$)/gi,
    (_match, name: string, value: string) => {
      settings[name.toLowerCase().replaceAll('-', '_')] = value.replaceAll(/\\(.)/g, '$1');
      return '';
    },
  );
  if (rest.trim() !== '') {
    throw new StartError(
      `DATABASE_URL has the options "${rest.trim()}", which Purser does not know; give settings as -c name=value.`,
    );
  }
  return settings;
}

/**
 * Applies the settings on a new connection, in one round trip.
 *
 * @throws RoleError when the connection acts as another role than `settings` has
 */
export async function applySettings(client: pg.ClientBase, settings: Settings): Promise<void> {
  // The role comes last: the others may need the rights of the role that signed in.
  const { role, ...others } = settings;
  const all = Object.entries({ ...others, ...(role !== undefined && { role }) });
  const calls = all.map(([name, value]) => `set_config(${quoted(name)}, ${quoted(value)}, false)`);
  const results = (await client.query(
    `SELECT ${calls.join(', ')}; SELECT current_user AS name`,
  )) as unknown as pg.QueryResult<{ name: string }>[];
  const name = results.at(-1)?.rows[0]?.name;
  if (role !== undefined && name !== role) throw new RoleError(role, name);
}

/**
 * Thrown when the connection acts as another role than it should. The server's restrictions would
 * not apply.
 */
export class RoleError extends Error {
  override readonly name = 'RoleError';

  constructor(wanted: string, actual: string | undefined) {
    super(`The connection acts as ${actual ?? 'nobody'} in place of ${wanted}`);
  }
}

/**
 * Opens a connection with its settings. Its errors between statements are ignored; later statements
 * fail then.
 */
export async function openClient(
  url: string,
  config: Omit<pg.ClientConfig, 'connectionString'> = {},
): Promise<pg.Client> {
  const session = sessionOf(url);
  const client = new pg.Client({ ...config, connectionString: session.url });
  client.on('error', () => undefined);
  await client.connect();
  try {
    await applySettings(client, session.settings);
  } catch (error) {
    await client.end();
    throw error;
  }
  return client;
}

function quoted(text: string): string {
  return pg.escapeLiteral(text);
}
