import type { KycDocument } from '#contract/api.ts';
import { KYC_DOCUMENT_LABELS } from '#contract/kyc.ts';
import { application } from '#contract/things/application.ts';
import { document } from '#contract/things/document.ts';
import type { Tx } from '#server/db/tx.ts';
import { checkNotOwn } from '#server/lib/actor.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { AppError } from '#server/lib/errors.ts';
import { checkStatus, journal } from '#server/modules/journal/index.ts';
import type { Services } from '#server/services.ts';
import { loadDocument, presentDocument, rejectionReasonPlace } from '../documents/documents.ts';
import type { DocumentRow } from '../documents/documents.ts';
import { lockPerson } from '../lock-application.ts';
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
  await checkStatus(tx, document, action, row);
  const decided = await enterDecision(tx, services, by, row, { action, reason });
  const isOfWallet = row.applicationId === null;
  const verifiedId = isOfWallet ? await verifyProfile(tx, services, row.userId) : null;
  journal(tx, by, document, actOf(action, { isOfWallet, isVerified: verifiedId !== null }), {
    id,
    userId: row.userId,
    relatedId: verifiedId ?? row.applicationId ?? id,
    at: services.clock.now(),
    details: { type: row.type },
    words: { document: KYC_DOCUMENT_LABELS[row.type] },
  });
  return presentDocument(tx, services.vault, decided);
}

/**
 * Decides on a document that is locked and checked, together with its application: its owner is notified of the
 * application alone.
 */
export async function writeDecision(
  tx: Tx,
  services: Pick<Services, 'vault' | 'clock'>,
  by: CommandContext,
  row: DocumentRow,
  decision: DocumentDecision,
): Promise<void> {
  await enterDecision(tx, services, by, row, decision);
  journal(tx, by, document, decision.action, {
    id: row.id,
    userId: row.userId,
    isSilent: true,
    at: services.clock.now(),
    details: { type: row.type },
    words: {},
  });
}

async function enterDecision(
  tx: Tx,
  { vault, clock }: Pick<Services, 'vault' | 'clock'>,
  by: CommandContext,
  row: DocumentRow,
  { action, reason }: DocumentDecision,
): Promise<DocumentRow> {
  const status = action === 'approve' ? 'approved' : 'rejected';
  return tx
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
}

/** Locks in the order in which owners do: the person or the application first, then the document. */
async function lockForReview(tx: Tx, by: CommandContext, id: string): Promise<DocumentRow> {
  const { userId, applicationId } = await loadDocument(tx, id);
  checkNotOwn(by, userId);
  if (applicationId === null) {
    await lockPerson(tx, userId);
  } else {
    const reviewed = await tx
      .selectFrom('kycApplication')
      .selectAll()
      .where('id', '=', applicationId)
      .forNoKeyUpdate()
      .executeTakeFirstOrThrow();
    await checkStatus(tx, application, 'reject', reviewed);
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

/** The act that a decision is, by what its owner is notified of. */
function actOf(
  action: DocumentDecision['action'],
  { isOfWallet, isVerified }: { isOfWallet: boolean; isVerified: boolean },
) {
  if (action === 'reject') return isOfWallet ? 'rejectOfWallet' : 'reject';
  if (isVerified) return 'completeVerification';
  return isOfWallet ? 'approveOfWallet' : 'approve';
}
