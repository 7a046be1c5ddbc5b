import { KYC_DOCUMENT_STATUSES } from '../statuses.ts';
import { defineThing } from './thing.ts';

/** Approval and rejection. A slip can be corrected: the last one counts. */
const APPROVAL = {
  by: 'admin',
  from: ['pending', 'under_review', 'rejected'],
  to: 'approved',
  past: 'document_approved',
  did: 'approved',
} as const;
const REJECTION = {
  by: 'admin',
  from: ['pending', 'under_review', 'approved'],
  to: 'rejected',
  past: 'document_rejected',
  did: 'rejected',
} as const;

/** An image of a document: of an application, or of the verification of a person's wallets. */
export const document = defineThing({
  name: 'kyc_document',
  event: 'kyc',
  statuses: KYC_DOCUMENT_STATUSES,
  topic: 'kyc',
  movesMoney: false,
  refusals: { notFound: 'document_not_found', wrongStatus: 'document_wrong_status' },
  acts: {
    upload: {
      by: 'owner',
      from: [],
      to: 'pending',
      past: 'document_uploaded',
      // Administrators see it once it waits for them.
      live: { owner: ['kyc'] },
      operation: 'uploadDocument',
      hasForm: true,
    },
    /** Follows from taking up the wallet documents of a person. The record is that of the review. */
    startReview: {
      by: 'admin',
      from: ['pending'],
      to: 'under_review',
      past: 'document_taken_up',
      did: null,
    },
    approve: {
      ...APPROVAL,
      operation: 'adminApproveDocument',
      hasForm: true,
      toOwner: {
        kind: 'document-approved',
        title: 'Document approved',
        message: 'Your document "{document}" was approved.',
      },
    },
    reject: {
      ...REJECTION,
      operation: 'adminRejectDocument',
      hasForm: true,
      toOwner: {
        kind: 'document-rejected',
        title: 'Document rejected',
        message: 'Your document "{document}" was rejected. See KYC Status for the reason.',
      },
    },
    approveOfWallet: {
      ...APPROVAL,
      toOwner: {
        kind: 'wallet-document-approved',
        title: 'Document approved',
        message: 'Your document "{document}" was approved.',
      },
    },
    rejectOfWallet: {
      ...REJECTION,
      toOwner: {
        kind: 'wallet-document-rejected',
        title: 'Document rejected',
        message: 'Your document "{document}" was rejected. See Bank Details for the reason.',
      },
    },
    /** Approves the last of the wallet documents. */
    completeVerification: {
      ...APPROVAL,
      toOwner: {
        kind: 'verification-complete',
        title: 'Verification complete',
        message: 'Your document "{document}" was approved. All your documents are verified.',
      },
    },
  },
});
