/** After more than this many redirects away from one path its guard gives up. */
export const MAX_REDIRECTS = 2;

const redirectsByPath = new Map<string, number>();

/** Counts one redirect away from `path` and returns how many there have been. */
export function countRedirect(path: string): number {
  const count = (redirectsByPath.get(path) ?? 0) + 1;
  redirectsByPath.set(path, count);
  return count;
}

/** The path could be shown, or the person signed in again: its count starts again. */
export function forgetRedirects(path?: string): void {
  if (path === undefined) redirectsByPath.clear();
  else redirectsByPath.delete(path);
}
