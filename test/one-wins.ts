import { expect } from 'vitest';
import type { ErrorCode } from '#contract/errors.ts';

/**
 * Expects of two or more concurrent attempts that one succeeded, and that each other was refused by
 * one of these codes: a deadlock, a time-out or a broken constraint is no refusal.
 */
export function expectOneWins(
  results: readonly PromiseSettledResult<unknown>[],
  ...codes: readonly ErrorCode[]
): void {
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  for (const result of results) {
    if (result.status === 'rejected') expect(codes).toContain(refusalOf(result.reason));
  }
}

/** The code of a refusal; of anything else, what it says. */
function refusalOf(reason: unknown): string {
  if (typeof reason !== 'object' || reason === null || !('code' in reason)) return String(reason);
  return String(reason.code);
}
