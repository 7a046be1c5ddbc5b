/**
 * Does work a chunk at a time, until there is nothing left.
 *
 * @param chunk does the next one; false if there was nothing to do, or nothing is left
 * @param options.signal stops it after the chunk in progress; a sweep takes it up again
 */
export async function inChunks(
  chunk: () => Promise<boolean>,
  { signal }: { signal?: AbortSignal | undefined } = {},
): Promise<void> {
  for (;;) {
    if (signal?.aborted === true) return;
    // oxlint-disable-next-line no-await-in-loop -- one chunk after another
    if (!(await chunk())) return;
  }
}
