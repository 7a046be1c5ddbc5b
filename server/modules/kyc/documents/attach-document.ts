import type { KycDocument } from '#contract/api.ts';
import type { KycDocumentType } from '#contract/kyc.ts';
import { document } from '#contract/things/document.ts';
import type { Tx } from '#server/db/tx.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { journal } from '#server/modules/journal/index.ts';
import type { Services } from '#server/services.ts';
import { afterChange, lockChangeable, lockCurrent, retireDocument } from './change-documents.ts';
import { presentDocument } from './documents.ts';
import { keepFile } from './stage-image.ts';
import type { StagedImage } from './stage-image.ts';

interface Attachment {
  type: KycDocumentType;
  /** Date of issue of a proof of address, which `checkIssueDate` has checked. */
  issuedOn?: string | undefined;
  staged: StagedImage;
}

/**
 * Makes an image that is in the file store the actor's current document of its type; it waits for
 * review, and the one before it is retired.
 *
 * @throws {AppError} `application_not_found`, `application_wrong_status`, `verification_complete`
 */
export async function attachDocument(
  tx: Tx,
  services: Services,
  by: CommandContext,
  { type, issuedOn, staged }: Attachment,
): Promise<KycDocument> {
  const userId = by.actor.id;
  const now = services.clock.now();
  const applicationId = await lockChangeable(tx, userId, type);
  const previous = await lockCurrent(tx, { userId, applicationId }, type);
  if (previous !== undefined) await retireDocument(tx, services, previous);
  await keepFile(tx, staged.id, now);
  const row = await tx
    .insertInto('kycDocument')
    .values({
      ...staged.row,
      userId,
      applicationId,
      type,
      issuedOn: type === 'proof_of_address' ? (issuedOn ?? null) : null,
      uploadedAt: now,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  journal(tx, by, document, 'upload', {
    id: row.id,
    userId,
    at: now,
    details: { type },
    words: {},
  });
  await afterChange(tx, services, by, type);
  return presentDocument(tx, services.vault, row);
}
