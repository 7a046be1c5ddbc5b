import type { KycApplication } from '#contract/routes/kyc.ts';
import type { Tx } from '#server/db/tx.ts';
import type { By } from '#server/lib/actor.ts';
import { AppError } from '#server/lib/errors.ts';
import type { Services } from '#server/services.ts';
import { decide } from './decide.ts';
import type { DecisionTarget } from './decide.ts';
import { lockForDecision } from './lock-application.ts';

/**
 * Gives an application in review back to its owner to mend; the notes say what.
 *
 * @throws {AppError} `notes_required`, and as `lockForDecision`
 */
export async function requestResubmission(
  tx: Tx,
  services: Services,
  by: By,
  input: DecisionTarget & { notes: string },
): Promise<KycApplication> {
  const notes = input.notes.trim();
  if (notes === '') throw new AppError('notes_required');
  const row = await lockForDecision(tx, by, input, 'requestResubmission');
  return decide(tx, services, by, row, {
    decision: 'resubmission_requested',
    status: 'resubmit_required',
    notes,
    columns: { resubmissionNotes: notes },
    title: 'Changes needed',
    message: `Please update your KYC application: ${notes}`,
  });
}
