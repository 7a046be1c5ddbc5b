/**
 * The address with the search path of every connection on it pinned to our own schema: by PostgreSQL's
 * own default, tables in a schema that is named like the role would stand in for ours. Temporary ones
 * come last, or they would come first.
 */
export function withSearchPath(url: string): string {
  return withSettings(url, { search_path: 'public,pg_temp' });
}

/** The address with those settings of PostgreSQL for every connection on it, beside its own. */
export function withSettings(url: string, settings: Readonly<Record<string, string>>): string {
  const changed = new URL(url);
  const given = changed.searchParams.get('options');
  const options = Object.entries(settings).map(([name, value]) => `-c ${name}=${value}`);
  changed.searchParams.set('options', [...(given ? [given] : []), ...options].join(' '));
  return changed.toString();
}
