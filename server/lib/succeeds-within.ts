/** A check that answers false, throws or takes too long has failed. */
export async function succeedsWithin(
  check: () => boolean | Promise<boolean>,
  timeoutMs: number,
): Promise<boolean> {
  const timer = Promise.withResolvers<boolean>();
  const timeout = setTimeout(() => timer.resolve(false), timeoutMs);
  try {
    return await Promise.race([check(), timer.promise]);
  } catch {
    return false;
  } finally {
    clearTimeout(timeout);
  }
}
