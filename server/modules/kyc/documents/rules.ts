import { WALLET_DOCUMENT_TYPES } from '#contract/kyc.ts';
import type {
  KycDocumentStatus,
  KycDocumentType,
  ReviewStatus,
  VerificationStatus,
} from '#contract/kyc.ts';

/** As much of a current wallet document as the profile depends on. */
export interface WalletDocument {
  type: KycDocumentType;
  status: KycDocumentStatus;
  uploadedAt: Date;
}

/** State that follows from a person's wallet documents. */
export interface ProfileState {
  status: VerificationStatus;
  /** Share of the required types that are there, in percent, rounded. */
  completionPercentage: number;
  /** Null: there is nothing for the review queue to show. */
  reviewStatus: ReviewStatus | null;
  /** Time at which the oldest waiting one came; where none waits, the newest of all. */
  submittedAt: Date | null;
}

/**
 * The verification profile, computed again after each upload or review. One rejected document gives
 * rejected, and three approved ones give verified. Otherwise one that is pending or under review gives under
 * review, one that is uploaded gives pending, and none gives not started.
 */
export function profileStateOf(documents: readonly WalletDocument[]): ProfileState {
  const waiting = documents.filter(isWaiting);
  const latest = documents.toSorted((a, b) => b.uploadedAt.getTime() - a.uploadedAt.getTime());
  const oldestWaiting = latest.findLast(isWaiting);
  const status = statusOf(documents, waiting.length > 0);
  return {
    status,
    completionPercentage: Math.round(
      (100 * countTypes(documents, () => true)) / WALLET_DOCUMENT_TYPES.length,
    ),
    reviewStatus: reviewStatusOf(status, waiting),
    submittedAt: (oldestWaiting ?? latest[0])?.uploadedAt ?? null,
  };
}

function isWaiting({ status }: WalletDocument): boolean {
  return status === 'pending' || status === 'under_review';
}

function statusOf(documents: readonly WalletDocument[], isAnyWaiting: boolean): VerificationStatus {
  if (documents.length === 0) return 'not_started';
  if (documents.some(({ status }) => status === 'rejected')) return 'rejected';
  const approved = countTypes(documents, ({ status }) => status === 'approved');
  if (approved === WALLET_DOCUMENT_TYPES.length) return 'verified';
  return isAnyWaiting ? 'under_review' : 'pending';
}

function countTypes(
  documents: readonly WalletDocument[],
  isCounted: (document: WalletDocument) => boolean,
): number {
  return WALLET_DOCUMENT_TYPES.filter((type) =>
    documents.some((document) => document.type === type && isCounted(document)),
  ).length;
}

/** Order of statuses, waiting first: one rejected document does not hide two that wait. */
function reviewStatusOf(
  status: VerificationStatus,
  waiting: readonly WalletDocument[],
): ReviewStatus | null {
  if (waiting.length > 0) {
    return waiting.some((each) => each.status === 'under_review') ? 'in_review' : 'submitted';
  }
  if (status === 'verified') return 'approved';
  return status === 'rejected' ? 'rejected' : null;
}
