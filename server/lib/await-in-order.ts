/**
 * Awaits what was begun at once, and throws the failure of the first in the order given: what is
 * reported does not depend on which of them was quicker.
 */
export async function awaitInOrder<T extends readonly unknown[]>(
  begun: readonly [...{ [Index in keyof T]: Promise<T[Index]> }],
): Promise<T> {
  const outcomes = await Promise.allSettled<unknown>(begun as readonly Promise<unknown>[]);
  const values: unknown[] = [];
  for (const outcome of outcomes) {
    if (outcome.status === 'rejected') throw outcome.reason;
    values.push(outcome.value);
  }
  return values as unknown as T;
}
