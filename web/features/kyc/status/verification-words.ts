import type { Verification } from '#contract/api.ts';
import { WALLET_DOCUMENT_TYPES, type VerificationStatus } from '#contract/kyc.ts';

/** Name of each status of the wallet verification on its card. */
export const VERIFICATION_LABELS: Record<VerificationStatus, string> = {
  not_started: 'Not Started',
  pending: 'Pending Review',
  under_review: 'Under Review',
  verified: 'Verified',
  rejected: 'Rejected',
};

const MESSAGES: Record<VerificationStatus, string> = {
  not_started:
    'These three documents are for your company’s records. Withdrawing needs only your identity check, which is separate.',
  pending: 'Upload what is missing to have your documents reviewed.',
  under_review: 'An administrator reviews your documents.',
  verified: 'All three documents are approved. Nothing else is needed.',
  rejected: '',
};

export function verificationMessage({ status, documents }: Verification): string {
  if (status !== 'rejected') return MESSAGES[status];
  const count = documents.filter((document) => document.status === 'rejected').length;
  return count === 1
    ? 'One document needs replacing. A new upload sends it back to review.'
    : `${count} documents need replacing. New uploads send them back to review.`;
}

/** The last event and its time: "Verified on" and a moment; nothing before the first upload. */
export function lastChange(verification: Verification): { what: string; at: string } | undefined {
  const { status, submittedAt, verifiedAt, rejectedAt } = verification;
  if (status === 'verified' && verifiedAt !== null) return { what: 'Verified on', at: verifiedAt };
  if (status === 'rejected' && rejectedAt !== null) return { what: 'Rejected on', at: rejectedAt };
  const isSubmitted = status !== 'not_started' && submittedAt !== null;
  return isSubmitted ? { what: 'Submitted on', at: submittedAt } : undefined;
}

/** "2 of 3" */
export function uploadedCount({ documents }: Verification): string {
  return `${documents.length} of ${WALLET_DOCUMENT_TYPES.length}`;
}
