import type { PayrollBatch, PayrollPreview } from '#contract/api.ts';
import { payrollBatch } from '#contract/things/payroll-batch.ts';
import { money } from '#contract/money.ts';
import type { Reader } from '#server/db/tx.ts';
import {
  isInForce,
  presentSecondPeople,
  readDuties,
  refusalOf,
  thresholdOf,
} from '#server/modules/security/index.ts';
import type { Duties } from '#server/modules/security/index.ts';
import type { CompanySettings } from '#server/modules/settings/index.ts';
import type { BatchRow } from './rows.ts';

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
  batch: Waiting &
    Pick<BatchRow, 'createdBy' | 'amountsBy' | 'totalMinor' | 'togetherMinor' | 'differences'>,
  { actorId, duties }: BatchReader,
): PayrollBatch['approval'] {
  if (!waitsForApproval(batch)) return null;
  const refusal = refusalOf(duties, actorId, SENT_PAYROLL, {
    amountMinor: batch.togetherMinor ?? batch.totalMinor,
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

interface Unsent {
  /** Id of the administrator who would send it. */
  sender: string;
  /** The administrators who last changed its amounts. */
  amountsBy: readonly (string | null)[];
  totalMinor: bigint;
}

/**
 * The rule about a second person for a payroll that is not sent yet, with the administrators who can be theirs and those
 * who cannot; null where the company asks for none, or too few can fulfil it.
 */
export async function secondPersonOf(
  reader: Reader,
  settings: CompanySettings,
  { sender, amountsBy, totalMinor }: Unsent,
): Promise<PayrollPreview['secondPerson']> {
  const from = thresholdOf(settings, 'payroll');
  if (from === null) return null;
  const duties = await readDuties(reader, settings);
  if (!isInForce(duties, 'payroll')) return null;
  const step = { amountMinor: totalMinor, doneBy: [sender, ...amountsBy] };
  const refusal = refusalOf(duties, sender, SENT_PAYROLL, step);
  const whyNot = ({ id, needsTwoFactor }: (typeof duties.people)[number]) => {
    if (id === sender) return 'sends';
    if (amountsBy.includes(id)) return 'changed_amounts';
    return needsTwoFactor ? 'no_two_factor' : null;
  };
  return {
    from: money(from, settings.currency),
    sentAlone: money(duties.alone.get('payroll') ?? 0n, settings.currency),
    isNeeded: refusal !== null,
    people: presentSecondPeople(refusal?.people ?? []),
    others: duties.people.flatMap((one) => {
      const why = whyNot(one);
      return why === null ? [] : [{ name: one.name, why }];
    }),
  };
}
