import { APPLICATION_DOCUMENT_TYPES } from '#contract/kyc.ts';
import { unexplained } from '#contract/reasons.ts';
import type { KycApplication } from '#contract/routes/kyc.ts';
import type { Tx } from '#server/db/tx.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { AppError } from '#server/lib/errors.ts';
import type { Services } from '#server/services.ts';
import { NO_WORDS } from '../application/history.ts';
import { decide } from './decide.ts';
import type { DecisionTarget } from './decide.ts';
import { writeDecision } from './decide-document.ts';
import { applicationDocuments, openRejectionReason } from '../documents/documents.ts';
import { lockForDecision } from '../lock-application.ts';

type Items = KycApplication['resubmissionItems'];

/**
 * Gives an application in review back to its owner to correct; the items say where, and their notes
 * or the general ones what. An image that is among them is rejected, and has to be replaced; one that was
 * rejected before counts among them.
 *
 * @throws {AppError} `notes_required`, and as `lockForDecision`
 */
export async function requestResubmission(
  tx: Tx,
  services: Services,
  by: CommandContext,
  input: DecisionTarget & { notes: string; items: Items },
): Promise<KycApplication> {
  const notes = input.notes.trim();
  if (unexplained(input).length > 0) throw new AppError('notes_required');
  const row = await lockForDecision(tx, by, input, 'requestResubmission');
  const rejected = await rejectDocuments(tx, services, by, {
    applicationId: row.id,
    items: input.items,
    notes,
  });
  return decide(tx, services, by, row, {
    act: 'requestResubmission',
    written: {
      ...NO_WORDS,
      notes: notes === '' ? null : notes,
      items: [...input.items, ...rejected],
    },
  });
}

/**
 * An image that is named without a note of its own is rejected for what the general notes say.
 *
 * @returns the images that were rejected before and are not named, with the reason then given
 */
async function rejectDocuments(
  tx: Tx,
  services: Services,
  by: CommandContext,
  { applicationId, items, notes }: { applicationId: string; items: Items; notes: string },
): Promise<Items> {
  const rejectedBefore: Items = [];
  for (const document of await applicationDocuments(tx, applicationId)) {
    const item = APPLICATION_DOCUMENT_TYPES.find((type) => type === document.type);
    const named = items.find((each) => each.item === item);
    if (document.status !== 'rejected') {
      if (named !== undefined) {
        const reason = named.note === '' ? notes : named.note;
        await writeDecision(tx, services, by, document, { action: 'reject', reason });
      }
    } else if (named === undefined && item !== undefined) {
      const note = (await openRejectionReason(tx, services.vault, document)) ?? '';
      rejectedBefore.push({ item, note });
    }
  }
  return rejectedBefore;
}
