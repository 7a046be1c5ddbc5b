import type { BalanceProof, EventProof, HistoryItem, ProvenMovement } from '#contract/api.ts';

/** One of the person's entries, with its posting. */
export interface ProvenLine {
  event: HistoryItem;
  movement: ProvenMovement;
}

/** The number to prove, with its parts. */
export type ProofSubject =
  | { kind: 'event'; proof: EventProof; lines: readonly ProvenLine[] }
  | { kind: 'balance'; proof: BalanceProof; lines: readonly ProvenLine[] };

export function ofEvent(proof: EventProof): ProofSubject {
  return { kind: 'event', proof, lines: [proof] };
}

export function ofBalance(proof: BalanceProof): ProofSubject {
  return { kind: 'balance', proof, lines: proof.entries };
}

/** The person's own side of a line's posting. */
export function ownSide({
  event,
  movement,
}: ProvenLine): ProvenMovement['entries'][number] | undefined {
  return movement.entries.find(({ isOwn, amount }) => isOwn && amount.minor === event.amount.minor);
}

/**
 * The line with the earliest block, where following the chain starts. Undefined if none is sealed.
 */
export function earliestSealed(lines: readonly ProvenLine[]): ProvenLine | undefined {
  return lines
    .filter(({ movement }) => movement.proof !== null)
    .toSorted((a, b) => Number(heightOf(a) - heightOf(b)))[0];
}

export function heightOf({ movement }: ProvenLine): bigint {
  return BigInt(movement.proof?.block.height ?? 0);
}
