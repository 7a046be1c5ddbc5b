import { z } from 'zod';
import { named, namedEnum, namedObject } from '../schema-names.ts';
import { NAME_MATCHES } from '../bank-accounts.ts';
import {
  DUPLICATE_SIGNALS,
  KYC_DOCUMENT_TYPES,
  RESUBMISSION_ITEMS,
  LISTED_STATUSES,
  REVIEW_KINDS,
  REVIEW_STATUSES,
} from '../kyc.ts';
import { reviewQueueList } from '../lists.ts';
import { kycAnswerRules } from '../kyc-answer-rules.ts';
import {
  NO_ITEMS_PROBLEM,
  itemNoteRule,
  notesRule,
  privateNoteRule,
  unexplained,
} from '../reasons.ts';
import { done, person } from './common.ts';
import {
  correctionReason,
  id,
  idParams,
  instant,
  optionalTextOf,
  reason,
  rowInteger,
  textOf,
} from './values.ts';
import { defineRoute } from './define.ts';
import { documentLink, verification } from './kyc-documents.ts';
import { kycApplication, kycDocument } from './kyc.ts';
import { needsPostalCode, postalCodeProblem } from '../postal-codes.ts';
import { kycAnswers } from './kyc-answers.ts';
import { filterField, listRoutes, viewQuery } from './list.ts';

const version = rowInteger;

/** Requested changes: general notes are enough, and so is a note on each thing that is named. */
const resubmission = z
  .object({
    version,
    notes: optionalTextOf(notesRule),
    items: z
      .array(
        z.object({
          item: z.enum(RESUBMISSION_ITEMS),
          note: optionalTextOf(itemNoteRule),
        }),
      )
      .min(1, NO_ITEMS_PROBLEM)
      .max(RESUBMISSION_ITEMS.length)
      .refine((items) => new Set(items.map(({ item }) => item)).size === items.length, {
        error: 'Name each section or document once',
      }),
  })
  .superRefine(({ notes, items }, context) => {
    for (const place of unexplained({ notes, items })) {
      const index = items.findIndex(({ item }) => item === place);
      context.addIssue(
        place === 'notes'
          ? { code: 'custom', path: ['notes'], message: notesRule.problem('') }
          : { code: 'custom', path: ['items', index, 'note'], message: itemNoteRule.problem('') },
      );
    }
  });

/** The admin who has an item of the queue open; it lapses unless it is renewed. */
const claim = namedObject('ReviewClaim', {
  holder: person,
  isMine: z.boolean(),
  expiresAt: instant,
});

/** One row of the review queue. */
const reviewedPerson = named('ReviewedPerson', person.extend({ email: z.string() }));

const reviewItem = namedObject('ReviewItem', {
  /** The application's, or the verification profile's. */
  id,
  kind: namedEnum('ReviewKind', REVIEW_KINDS),
  status: z.enum(LISTED_STATUSES),
  employee: reviewedPerson,
  /** Null while it is in progress. */
  submittedAt: instant.nullable(),
  /** Start of an application that is in progress; null for others. */
  startedAt: instant.nullable(),
  /** Hours it has waited; null once it no longer waits for an admin. */
  ageHours: z.number().int().nullable(),
  /** Current documents, and how many there should be: 2 of an application, 3 of a wallet. */
  documents: z.number().int(),
  documentsRequired: z.number().int(),
  claim: claim.nullable(),
});

const neighbour = namedObject('ReviewNeighbour', { id, kind: z.enum(REVIEW_KINDS) }).nullable();

const reviewNote = namedObject('ReviewNote', { id, by: z.string(), text: z.string(), at: instant });

/** Something that another person has used too. */
const duplicate = namedObject('Duplicate', {
  signal: namedEnum('DuplicateSignal', DUPLICATE_SIGNALS),
  /** The image, where it is one. */
  documentType: z.enum(KYC_DOCUMENT_TYPES).nullable(),
  people: z.array(person),
});

/** Facts that the desk shows next to the material, of either kind. */
const reviewed = z.object({
  id,
  status: namedEnum('ReviewStatus', REVIEW_STATUSES).nullable(),
  employee: reviewedPerson,
  claim: claim.nullable(),
  /** Seen by admins alone, oldest first. */
  notes: z.array(reviewNote),
  duplicates: z.array(duplicate),
});

/** Earlier images that a decision rested on, newest first. */
const replaced = z.array(kycDocument);

const applicationReview = named(
  'ApplicationReview',
  reviewed.extend({
    application: kycApplication,
    replaced,
    /** Comparison of the account's name with the full name in the application; null without one. */
    nameMatch: z.enum(NAME_MATCHES).nullable(),
  }),
);
const verificationReview = named('VerificationReview', reviewed.extend({ verification, replaced }));

const decisionErrors = [
  'application_not_found',
  'application_wrong_status',
  'application_stale',
  'own_request',
] as const;

const documentErrors = [
  'document_not_found',
  'document_wrong_status',
  'document_stale',
  'application_wrong_status',
  'own_request',
] as const;

export const adminKycRoutes = {
  ...listRoutes('/api/admin/kyc/queue', reviewQueueList, reviewItem, {
    names: { kind: 'ReviewKindFilter', status: 'ReviewStatusFilter', sort: 'ReviewSort' },
    summary: 'Applications and wallet documents to review, or reviewed',
    access: 'admin',
    topics: ['kyc'],
  }),
  adminGetReviewCounts: defineRoute('GET /api/admin/kyc/counts', {
    summary: 'How many items of the review queue are in each status',
    access: 'admin',
    topics: ['kyc'],
    query: z.object({ kind: filterField(reviewQueueList, 'kind') }),
    reply: z.object({
      waiting: z.number().int(),
      all: z.number().int(),
      in_progress: z.number().int(),
      submitted: z.number().int(),
      in_review: z.number().int(),
      resubmit_required: z.number().int(),
      approved: z.number().int(),
      rejected: z.number().int(),
      /** Hours the oldest that waits has waited; null where nothing does. */
      oldestHours: z.number().int().nullable(),
    }),
  }),
  adminGetReviewNeighbours: defineRoute('GET /api/admin/kyc/queue/{id}/neighbours', {
    summary: 'What comes before and after an item of the queue, in the order of a filter',
    access: 'admin',
    topics: [],
    params: idParams,
    query: viewQuery(reviewQueueList),
    reply: z.object({ previous: neighbour, next: neighbour }),
    errors: ['not_found'],
  }),
  adminClaimReview: defineRoute('POST /api/admin/kyc/queue/{id}/claim', {
    summary: 'Take an item of the queue up, or renew that; answers who has it',
    access: 'admin',
    topics: ['kyc'],
    changes: {},
    mayChange: { owner: ['kyc'], admins: ['kyc'] },
    params: idParams,
    body: z.object({
      /** Take it from another admin; without it, theirs stays. */
      takeOver: z.boolean().default(false),
    }),
    reply: claim,
    errors: ['not_found', 'own_request'],
  }),
  adminReleaseReview: defineRoute('POST /api/admin/kyc/queue/{id}/release', {
    summary: 'Put an item of the queue back',
    access: 'admin',
    changes: {},
    mayChange: { admins: ['kyc'] },
    params: idParams,
    reply: done,
    errors: ['not_found'],
  }),
  adminAddReviewNote: defineRoute('POST /api/admin/kyc/queue/{id}/notes', {
    summary: 'Add a private note that only admins see',
    access: 'admin',
    changes: { admins: ['kyc'] },
    params: idParams,
    body: z.object({ text: textOf(privateNoteRule) }),
    reply: z.object({ notes: z.array(reviewNote) }),
    status: 201,
    errors: ['not_found', 'own_request'],
  }),
  adminGetApplication: defineRoute('GET /api/admin/kyc/applications/{id}', {
    summary: 'An application for review (audited; its owner sees it)',
    access: 'admin',
    topics: ['kyc'],
    params: idParams,
    reply: applicationReview,
    errors: ['application_not_found', 'own_request'],
  }),
  adminAskForIdentity: defineRoute('POST /api/admin/people/{id}/ask-for-identity', {
    summary: 'Ask a person to verify their identity, by notification and mail',
    access: 'admin',
    changes: {},
    params: idParams,
    reply: done,
    errors: [
      'person_not_found',
      'person_wrong_standing',
      'identity_not_awaited',
      'identity_asked_already',
    ],
  }),
  adminCorrectAddress: defineRoute('POST /api/admin/kyc/applications/{id}/correct-address', {
    summary:
      'Correct the address in an application, with a reason; the status of the application stays',
    access: 'admin',
    changes: { owner: ['kyc'], admins: ['kyc'] },
    params: idParams,
    body: z
      .object({
        version,
        reason: correctionReason,
        addressLine2: optionalTextOf(kycAnswerRules.addressLine2),
        /** May be empty where the country has none. */
        postalCode: optionalTextOf(kycAnswerRules.postalCode),
      })
      .extend(kycAnswers.pick({ addressLine1: true, city: true, state: true, country: true }).shape)
      .superRefine(({ country, postalCode }, context) => {
        const isMissing = postalCode === '' && needsPostalCode(country);
        const message = isMissing
          ? kycAnswerRules.postalCode.problem('')
          : postalCode === ''
            ? undefined
            : postalCodeProblem(country, postalCode);
        if (message !== undefined) {
          context.addIssue({ code: 'custom', path: ['postalCode'], message });
        }
      }),
    reply: done,
    errors: [...decisionErrors, 'address_unchanged'],
  }),
  adminMoveToReview: defineRoute('POST /api/admin/kyc/applications/{id}/move-to-review', {
    summary: 'Move a submitted application to review',
    access: 'admin',
    changes: { owner: ['kyc'], admins: ['kyc'] },
    params: idParams,
    body: namedObject('VersionBody', { version }),
    reply: applicationReview,
    errors: decisionErrors,
  }),
  adminApproveApplication: defineRoute('POST /api/admin/kyc/applications/{id}/approve', {
    summary: 'Approve an application and its documents',
    access: 'admin',
    confirms: 'recent',
    changes: { owner: ['kyc'], admins: ['kyc'] },
    mayChange: { admins: ['people'] },
    params: idParams,
    body: z.object({
      version,
      notes: optionalTextOf(notesRule).default(''),
    }),
    reply: applicationReview,
    errors: [...decisionErrors, 'document_rejected'],
  }),
  adminRejectApplication: defineRoute('POST /api/admin/kyc/applications/{id}/reject', {
    summary: 'Reject an application, with a reason',
    access: 'admin',
    changes: { owner: ['kyc'], admins: ['kyc'] },
    params: idParams,
    body: namedObject('VersionAndReason', { version, reason }),
    reply: applicationReview,
    errors: decisionErrors,
  }),
  adminRequestResubmission: defineRoute(
    'POST /api/admin/kyc/applications/{id}/request-resubmission',
    {
      summary: 'Give an application in review back to be changed; documents named are rejected',
      access: 'admin',
      changes: { owner: ['kyc'], admins: ['kyc'] },
      params: idParams,
      body: resubmission,
      reply: applicationReview,
      errors: decisionErrors,
    },
  ),
  adminGetVerification: defineRoute('GET /api/admin/kyc/verifications/{id}', {
    summary: "A person's wallet documents for review (audited; their owner sees it)",
    access: 'admin',
    topics: ['kyc'],
    params: idParams,
    reply: verificationReview,
    errors: ['not_found', 'own_request'],
  }),
  adminApproveDocument: defineRoute('POST /api/admin/kyc/documents/{id}/approve', {
    summary: 'Approve one document',
    access: 'admin',
    changes: { owner: ['kyc'], admins: ['kyc'] },
    params: idParams,
    body: z.object({ version }),
    reply: kycDocument,
    errors: documentErrors,
  }),
  adminRejectDocument: defineRoute('POST /api/admin/kyc/documents/{id}/reject', {
    summary: 'Reject one document, with a reason',
    access: 'admin',
    changes: { owner: ['kyc'], admins: ['kyc'] },
    params: idParams,
    body: z.object({ version, reason }),
    reply: kycDocument,
    errors: documentErrors,
  }),
  adminCreateDocumentLink: defineRoute('POST /api/admin/kyc/documents/{id}/link', {
    summary: 'A link to a document that lives 3600 s (using it is audited; its owner sees it)',
    access: 'admin',
    changes: {},
    params: idParams,
    reply: documentLink,
    errors: ['document_not_found', 'own_request'],
  }),
};
