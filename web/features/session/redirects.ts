/** Number of redirects away from one path after which its guard gives up. */
export const MAX_REDIRECTS = 2;

const redirectsByPath = new Map<string, number>();

/** Counts one redirect away from `path` and returns the total so far. */
export function countRedirect(path: string): number {
  const count = (redirectsByPath.get(path) ?? 0) + 1;
  redirectsByPath.set(path, count);
  return count;
}

/** Resets the count, because the path was shown or the person signed in again. */
export function forgetRedirects(path?: string): void {
  if (path === undefined) redirectsByPath.clear();
  else redirectsByPath.delete(path);
}
