/**
 * Awaits concurrent promises, and throws the failure of the first in the given order, so that the
 * reported error does not depend on timing.
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
