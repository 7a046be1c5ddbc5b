import type { PayrollBatch } from '#contract/api.ts';
import { payrollBatch } from '#contract/things/payroll-batch.ts';
import type { Reader } from '#server/db/tx.ts';
import { presentSecondPeople, readDuties, refusalOf } from '#server/modules/security/index.ts';
import type { Duties } from '#server/modules/security/index.ts';
import type { BatchRow } from './present.ts';

/** The administrator who reads batches, and the rules by which they may approve them. */
export interface BatchReader {
  actorId: string;
  duties: Duties;
}

export async function readBatchReader(reader: Reader, actorId: string): Promise<BatchReader> {
  return { actorId, duties: await readDuties(reader) };
}

type Waiting = Pick<BatchRow, 'needsApproval' | 'approvedAt'> & { status: string };

/** Neither the sender of a payroll approves it, nor who last changed its amounts. */
const [SENT_PAYROLL] = payrollBatch.acts.approve.secondPerson;

/** True if a batch waits for a second administrator. */
export function waitsForApproval({ status, needsApproval, approvedAt }: Waiting): boolean {
  return status === 'pending' && needsApproval && approvedAt === null;
}

/**
 * People who may approve a batch; null if it does not wait for approval. After the rule is switched off, or
 * its amount is raised above this batch, every administrator may, its sender too.
 */
export function approvalOf(
  batch: Waiting & Pick<BatchRow, 'createdBy' | 'amountsBy' | 'totalMinor' | 'differences'>,
  { actorId, duties }: BatchReader,
): PayrollBatch['approval'] {
  if (!waitsForApproval(batch)) return null;
  const refusal = refusalOf(duties, actorId, SENT_PAYROLL, {
    amountMinor: batch.totalMinor,
    doneBy: [batch.createdBy, batch.amountsBy],
  });
  return {
    mayApprove: refusal === null,
    isMine: batch.createdBy === actorId,
    changedAmounts: batch.amountsBy === actorId,
    differences: batch.differences?.length ?? 0,
    people: presentSecondPeople(refusal?.people ?? []),
  };
}
