import { z } from 'zod';
import { named, namedEnum, namedObject } from '../schema-names.ts';
import {
  KYC_ADDRESS,
  KYC_DOCUMENT_STATUSES,
  KYC_DOCUMENT_TYPES,
  KYC_EVENTS,
  KYC_STATUSES,
  RESUBMISSION_ITEMS,
} from '../kyc.ts';
import { day, id, instant, rowInteger } from './values.ts';
import { defineRoute } from './define.ts';
import { kycAnswers, kycAnswersPatch } from './kyc-answers.ts';

/** A document as its owner and the review desk see it; one of each type is current. */
export const kycDocument = namedObject('KycDocument', {
  id,
  type: namedEnum('KycDocumentType', KYC_DOCUMENT_TYPES),
  status: namedEnum('KycDocumentStatus', KYC_DOCUMENT_STATUSES),
  /** Raised by every decision; the next one names it. */
  version: z.number().int(),
  /** As the person's device called it, without a folder; null once the image is destroyed. */
  fileName: z.string().nullable(),
  /** Size of the image as it is kept: upright, without metadata. */
  width: z.number().int(),
  height: z.number().int(),
  byteSize: z.number().int(),
  rejectionReason: z.string().nullable(),
  /** Date of issue of a proof of address; null for others, and for old ones that have none. */
  issuedOn: day.nullable(),
  uploadedAt: instant,
  reviewedAt: instant.nullable(),
});

/** Corrections that a reviewer asked for, with notes. */
export const resubmissionItem = namedObject('ResubmissionItem', {
  item: namedEnum('ResubmissionPart', RESUBMISSION_ITEMS),
  note: z.string(),
});

/** Answers that an admin corrected, as they are read; null of an answer that was not given. */
export const answerChange = namedObject('AnswerChange', {
  answer: namedEnum('AddressAnswer', KYC_ADDRESS),
  before: z.string().nullable(),
  after: z.string().nullable(),
});

/** An application as its owner and the review desk see it. */
export const kycApplication = namedObject('KycApplication', {
  id,
  userId: id,
  status: namedEnum('KycStatus', KYC_STATUSES),
  /** Raised by every change but uploads; a save, a submission or a decision names it. */
  version: z.number().int(),
  /** The security answer cannot be read back. */
  answers: named('KycAnswers', kycAnswers.omit({ securityAnswerHash: true }).partial()),
  /** Names of the answers given, the security answer's among them. */
  answered: z.array(named('KycAnswerName', kycAnswers.keyof())),
  /** Another one whenever the security answer was changed; says nothing of the answer. */
  securityAnswerMark: z.string().nullable(),
  /** The current front and back, as far as they are there. */
  documents: z.array(kycDocument),
  /** Corrections that are due now; once it is submitted again, the history has them. */
  resubmissionNotes: z.string().nullable(),
  resubmissionItems: z.array(resubmissionItem),
  /** Reason of a rejected application; null once it is destroyed. */
  rejectionReason: z.string().nullable(),
  /** The last time; the history has all of them. */
  submittedAt: instant.nullable(),
  decidedAt: instant.nullable(),
  createdAt: instant,
  updatedAt: instant,
  /** Every submission and what admins did, oldest first. */
  history: z.array(
    namedObject('KycEvent', {
      action: namedEnum('KycEventKind', KYC_EVENTS),
      by: z.string(),
      /** Null also where the words were destroyed with the material. */
      notes: z.string().nullable(),
      /** Corrections that were asked for, by a request for resubmission alone. */
      items: z.array(resubmissionItem),
      /** Answers that a correction of the address changed; empty for other acts. */
      changes: z.array(answerChange),
      at: instant,
    }),
  ),
});
export type KycApplication = z.output<typeof kycApplication>;

/** Further facts for the owner's screens. */
export const myApplication = named(
  'MyApplication',
  kycApplication.extend({
    completion: z.object({
      /** Count of `KYC_REQUIRED_FIELDS`: step 8 of the wizard. */
      requiredAnswered: z.number().int(),
      requiredTotal: z.number().int(),
      documentsUploaded: z.number().int(),
      documentsRequired: z.number().int(),
      /** Percent on the KYC status page, of which the wallet documents are 30. */
      statusPage: z.number().int(),
    }),
    /** Age in years that an applicant has to have reached: the company's setting. */
    minAgeYears: z.number().int(),
  }),
);

const changeErrors = [
  'application_not_found',
  'application_wrong_status',
  'application_stale',
] as const;

/**
 * The application that was on screen. Named, since the person at this browser may be another one by
 * now: nobody's answers end up in another person's application.
 */
const seenApplication = { id, version: rowInteger };

export const kycRoutes = {
  getMyApplication: defineRoute('GET /api/kyc/application', {
    summary: 'My latest identity application, with its answers and documents',
    access: 'employee',
    topics: ['kyc'],
    reply: myApplication,
    errors: ['application_not_found'],
  }),
  saveMyApplication: defineRoute('PUT /api/kyc/application', {
    summary: 'Save the answers that changed; refused when the application changed elsewhere',
    access: 'employee',
    changes: { owner: ['kyc'] },
    body: z.object({ ...seenApplication, answers: kycAnswersPatch }),
    reply: myApplication,
    errors: changeErrors,
  }),
  submitMyApplication: defineRoute('POST /api/kyc/application/submit', {
    summary: 'Submit my application for review; it cannot be edited afterwards',
    access: 'employee',
    changes: { owner: ['kyc'], admins: ['kyc'] },
    body: z.object(seenApplication),
    reply: myApplication,
    /** `application_incomplete` names answers by their field, documents by their type. */
    errors: [...changeErrors, 'application_incomplete'],
  }),
  startNewApplication: defineRoute('POST /api/kyc/application/start-new', {
    summary: 'Begin a new application after a rejected one, which is kept',
    access: 'employee',
    changes: { owner: ['kyc'], admins: ['kyc'] },
    reply: myApplication,
    status: 201,
    errors: ['application_not_found', 'application_wrong_status'],
  }),
};
