import { KYC_STATUSES } from '../statuses.ts';
import { defineThing } from './thing.ts';

/** Notice of an application that waits for an administrator. */
const TO_REVIEW = { kind: 'application-to-review', title: 'KYC application to review' } as const;

/**
 * A person's identity, which they answer questions about and administrators decide on. Its words rest encrypted and
 * are in no record and in no notification. Its decisions name the version that was seen, and so have a command of
 * their own.
 */
export const application = defineThing({
  name: 'kyc_application',
  event: 'kyc',
  statuses: KYC_STATUSES,
  topic: 'kyc',
  movesMoney: false,
  refusals: { notFound: 'application_not_found', wrongStatus: 'application_wrong_status' },
  acts: {
    start: { by: 'system', from: [], to: 'in_progress', past: 'application_started' },
    edit: {
      by: 'owner',
      from: ['in_progress', 'resubmit_required'],
      past: 'application_saved',
      did: null,
      // Administrators see the answers once they are submitted.
      live: { owner: ['kyc'] },
      operation: 'saveMyApplication',
      hasForm: true,
    },
    submit: {
      by: 'owner',
      from: ['in_progress', 'resubmit_required'],
      to: 'submitted',
      past: 'application_submitted',
      did: 'submitted',
      operation: 'submitMyApplication',
      hasForm: true,
      toOwner: {
        kind: 'application-submitted',
        message: 'Your KYC application has been submitted for review',
      },
      toAdmins: { ...TO_REVIEW, message: '{actor} has submitted a KYC application.' },
    },
    moveToReview: {
      by: 'admin',
      from: ['submitted', 'in_review'],
      to: 'in_review',
      past: 'moved_to_review',
      did: 'began the review of',
      operation: 'adminMoveToReview',
      hasForm: true,
      toOwner: {
        kind: 'application-under-review',
        title: 'Under Review',
        message: 'Your KYC application is being reviewed.',
      },
    },
    approve: {
      by: 'admin',
      from: ['submitted', 'in_review'],
      to: 'approved',
      past: 'approved',
      operation: 'adminApproveApplication',
      hasForm: true,
      toOwner: {
        kind: 'identity-approved',
        title: 'Identity approved',
        message: [
          'Your identity has been verified. You can now withdraw money from your accounts. {accepted}',
          'Your identity has been verified. You can now withdraw money from your accounts.',
        ],
      },
    },
    reject: {
      by: 'admin',
      from: ['submitted', 'in_review'],
      to: 'rejected',
      past: 'rejected',
      operation: 'adminRejectApplication',
      hasForm: true,
      toOwner: {
        kind: 'application-rejected',
        title: 'Application rejected',
        message: 'Your KYC application was rejected. See KYC Status for the reason.',
      },
    },
    /** Gives it back to its owner to correct. */
    requestResubmission: {
      by: 'admin',
      from: ['in_review'],
      to: 'resubmit_required',
      past: 'resubmission_requested',
      did: 'requested a resubmission of',
      operation: 'adminRequestResubmission',
      hasForm: true,
      toOwner: {
        kind: 'changes-needed',
        title: 'Changes needed',
        message: 'Please update your KYC application. See KYC Status for what has to be changed.',
      },
    },
    /** Begins another one after it. */
    startNew: {
      by: 'owner',
      from: ['rejected'],
      to: 'in_progress',
      past: 'application_started',
      did: null,
      operation: 'startNewApplication',
      hasForm: true,
    },
    correctAddress: {
      by: 'admin',
      from: ['submitted', 'in_review', 'approved'],
      past: 'address_corrected',
      words: 'Address corrected',
      did: 'corrected the address in',
      operation: 'adminCorrectAddress',
      hasForm: true,
      toOwner: {
        kind: 'address-corrected',
        title: 'Address corrected',
        message:
          'An administrator corrected your address. Reason: {reason} The old and the new address are on your KYC Status page. If it is wrong, contact your administrator.',
      },
    },
    /** Reviews it again, because its owner's name was corrected to another one. */
    compareName: {
      by: 'admin',
      from: ['approved'],
      to: 'in_review',
      past: 'reopened_for_name',
      words: 'Identity in review again because the name changed',
      did: 'corrected the name in',
      toAdmins: {
        ...TO_REVIEW,
        message:
          'The name of {name} was corrected and differs from the name on the approved identity. It is in review again.',
      },
    },
  },
});
