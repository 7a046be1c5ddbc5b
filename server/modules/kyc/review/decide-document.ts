import type { KycDocument } from '#contract/api.ts';
import { can } from '#contract/can.ts';
import { KYC_DOCUMENT_LABELS, kycDocumentCan } from '#contract/kyc.ts';
import type { PersonalKind } from '#contract/notification-kinds.ts';
import type { Tx } from '#server/db/tx.ts';
import { publish } from '#server/events/outbox.ts';
import { checkNotOwn } from '#server/lib/actor.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { AppError } from '#server/lib/errors.ts';
import { describeLastAct, recordAudit } from '#server/modules/audit/index.ts';
import { notify } from '#server/modules/notifications/index.ts';
import type { Services } from '#server/services.ts';
import { loadDocument, presentDocument, rejectionReasonPlace } from '../documents/documents.ts';
import type { DocumentRow } from '../documents/documents.ts';
import { checkStatus, lockPerson } from '../lock-application.ts';
import { recomputeProfile } from '../documents/profile.ts';

export interface DocumentDecision {
  action: 'approve' | 'reject';
  /** Null for an approval. */
  reason: string | null;
}

/**
 * Decides on one document, as the admin saw it in `version`; of a wallet document the verification
 * profile follows.
 *
 * @throws {AppError} `document_not_found`, `own_request`, `application_wrong_status` unless its
 *   application is under review, `document_stale`, `document_wrong_status`
 */
export async function decideDocument(
  tx: Tx,
  services: Services,
  by: CommandContext,
  { id, version, action, reason }: DocumentDecision & { id: string; version: number },
): Promise<KycDocument> {
  const row = await lockForReview(tx, by, id);
  if (row.replacedAt !== null || row.version !== version) throw new AppError('document_stale');
  const { status } = row;
  if (!can(kycDocumentCan, action, status)) {
    const lastAct = await describeLastAct(tx, { type: 'kyc_document', id });
    throw new AppError('document_wrong_status', {
      status: status.replaceAll('_', ' '),
      ...lastAct,
    });
  }
  const decided = await writeDecision(tx, services, by, row, { action, reason });
  const verifiedId =
    row.applicationId === null ? await verifyProfile(tx, services, row.userId) : null;
  notify(tx, row.userId, {
    ...messageOf(row, { reason, isVerified: verifiedId !== null }),
    relatedId: verifiedId ?? row.applicationId ?? id,
    at: services.clock.now(),
  });
  publish(tx, { topic: 'kyc', userId: row.userId }, { topic: 'kyc', userId: null });
  return presentDocument(tx, services.vault, decided);
}

/** Enters a decision on a document that is locked and checked, and records it. */
export async function writeDecision(
  tx: Tx,
  { vault, clock }: Pick<Services, 'vault' | 'clock'>,
  by: CommandContext,
  row: DocumentRow,
  { action, reason }: DocumentDecision,
): Promise<DocumentRow> {
  const status = action === 'approve' ? 'approved' : 'rejected';
  const decided = await tx
    .updateTable('kycDocument')
    .set({
      status,
      version: row.version + 1,
      rejectionReasonEncrypted:
        reason === null
          ? null
          : await vault.seal(tx, row.userId, rejectionReasonPlace(row.id), reason),
      reviewedBy: by.actor.id,
      reviewedAt: clock.now(),
    })
    .where('id', '=', row.id)
    .returningAll()
    .executeTakeFirstOrThrow();
  recordAudit(tx, {
    by,
    action: `kyc.document_${status}`,
    subjectType: 'kyc_document',
    subjectId: row.id,
    personId: row.userId,
    details: { type: row.type },
  });
  return decided;
}

/** Locks in the order in which owners do: the person or the application first, then the document. */
async function lockForReview(tx: Tx, by: CommandContext, id: string): Promise<DocumentRow> {
  const { userId, applicationId } = await loadDocument(tx, id);
  checkNotOwn(by, userId);
  if (applicationId === null) {
    await lockPerson(tx, userId);
  } else {
    const application = await tx
      .selectFrom('kycApplication')
      .selectAll()
      .where('id', '=', applicationId)
      .forNoKeyUpdate()
      .executeTakeFirstOrThrow();
    await checkStatus(tx, application, 'reject');
  }
  return tx
    .selectFrom('kycDocument')
    .selectAll()
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow();
}

/** Updates the profile; answers its id if the last of its documents is approved now. */
async function verifyProfile(tx: Tx, services: Services, userId: string): Promise<string | null> {
  const { before, after } = await recomputeProfile(tx, services, userId);
  return after.status === 'verified' && before?.status !== 'verified' ? after.id : null;
}

/** The one notification of the owner, also where this document was the last one. */
function messageOf(
  { type, applicationId }: DocumentRow,
  { reason, isVerified }: { reason: string | null; isVerified: boolean },
): { kind: PersonalKind; message: string } {
  const label = KYC_DOCUMENT_LABELS[type];
  const isOfWallet = applicationId === null;
  if (reason !== null) {
    return {
      kind: isOfWallet ? 'wallet-document-rejected' : 'document-rejected',
      message: `Your document "${label}" was rejected. See ${isOfWallet ? 'Bank Details' : 'KYC Status'} for the reason.`,
    };
  }
  const message = `Your document "${label}" was approved.`;
  if (isVerified) {
    return {
      kind: 'verification-complete',
      message: `${message} All your documents are verified.`,
    };
  }
  return { kind: isOfWallet ? 'wallet-document-approved' : 'document-approved', message };
}
