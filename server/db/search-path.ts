/**
 * The address with the search path of every connection on it pinned to our own schema: by PostgreSQL's
 * own default, tables in a schema that is named like the role would stand in for ours. Temporary ones
 * come last, or they would come first.
 */
export function withSearchPath(url: string): string {
  const pinned = new URL(url);
  const given = pinned.searchParams.get('options');
  pinned.searchParams.set('options', `${given ? `${given} ` : ''}-c search_path=public,pg_temp`);
  return pinned.toString();
}
