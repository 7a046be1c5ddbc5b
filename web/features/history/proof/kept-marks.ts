import type { KeptMarks } from '#contract/verify-number.ts';
import { keptOnDevice } from '#web/lib/storage.ts';

/**
 * Marks of a person's earlier checks on this device: a server that hides what it showed before
 * contradicts them.
 *
 * @returns undefined before the first check that passed
 */
export function readMarks(personId: string): KeptMarks | undefined {
  try {
    const kept = JSON.parse(keptOnDevice.get(keyOf(personId)) ?? 'null') as Written | null;
    return kept === null ? undefined : { ...kept, height: BigInt(kept.height) };
  } catch {
    return undefined;
  }
}

type Written = Omit<KeptMarks, 'height'> & { height: string };

export function keepMarks(personId: string, marks: KeptMarks | undefined): void {
  if (marks === undefined) return;
  const written: Written = { ...marks, height: marks.height.toString() };
  keptOnDevice.set(keyOf(personId), JSON.stringify(written));
}

function keyOf(personId: string): string {
  return `purser-proofs-${personId}`;
}
