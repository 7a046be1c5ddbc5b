import type { ResubmissionItem } from '#contract/kyc.ts';
import type { KycApplication } from '#contract/routes/kyc.ts';
import type { Tx } from '#server/db/tx.ts';
import type { By } from '#server/lib/actor.ts';
import { AppError } from '#server/lib/errors.ts';
import type { Services } from '#server/services.ts';
import { decide } from './decide.ts';
import type { DecisionTarget } from './decide.ts';
import { writeDecision } from './decide-document.ts';
import { applicationDocuments } from './documents.ts';
import { lockForDecision } from './lock-application.ts';

/** What has to be mended, and how. */
interface ResubmissionRequest {
  item: ResubmissionItem;
  note: string;
}

/**
 * Gives an application in review back to its owner to mend; the notes say what, and
 * the items where. An image that is among them is rejected, and has to be replaced.
 *
 * @throws {AppError} `notes_required`, and as `lockForDecision`
 */
export async function requestResubmission(
  tx: Tx,
  services: Services,
  by: By,
  input: DecisionTarget & { notes: string; items: readonly ResubmissionRequest[] },
): Promise<KycApplication> {
  const notes = input.notes.trim();
  if (notes === '') throw new AppError('notes_required');
  const row = await lockForDecision(tx, by, input, 'requestResubmission');
  await rejectDocuments(tx, services, by, { applicationId: row.id, items: input.items });
  return decide(tx, services, by, row, {
    decision: 'resubmission_requested',
    status: 'resubmit_required',
    notes,
    columns: { resubmissionNotes: notes, resubmissionItems: JSON.stringify(input.items) },
    title: 'Changes needed',
    message: `Please update your KYC application: ${notes}`,
  });
}

async function rejectDocuments(
  tx: Tx,
  services: Services,
  by: By,
  { applicationId, items }: { applicationId: string; items: readonly ResubmissionRequest[] },
): Promise<void> {
  for (const document of await applicationDocuments(tx, applicationId)) {
    const named = items.find(({ item }) => item === document.type);
    if (named === undefined || document.status === 'rejected') continue;
    await writeDecision(tx, services, by, document, { action: 'reject', reason: named.note });
  }
}
