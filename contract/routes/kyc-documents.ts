import { z } from 'zod';
import { namedObject } from '../schema-names.ts';
import { KYC_DOCUMENT_TYPES, VERIFICATION_STATUSES } from '../kyc.ts';
import { IMAGE_ERRORS } from './common.ts';
import { day, id, idParams, instant } from './values.ts';
import { defineRoute } from './define.ts';
import { kycDocument } from './kyc.ts';

/** Link to the bytes of a document, until then, for the person who asked alone. */
export const documentLink = namedObject('DocumentLink', { url: z.string(), expiresAt: instant });

/** The wallet verification profile. */
export const verification = namedObject('Verification', {
  status: z.enum(VERIFICATION_STATUSES),
  /** Percent of the three documents that are there. */
  completionPercentage: z.number().int(),
  submittedAt: instant.nullable(),
  verifiedAt: instant.nullable(),
  rejectedAt: instant.nullable(),
  rejectionReason: z.string().nullable(),
  updatedAt: instant.nullable(),
  /** The current ones; a type that is missing is not uploaded. */
  documents: z.array(kycDocument),
});

export const kycDocumentRoutes = {
  getMyVerification: defineRoute('GET /api/kyc/verification', {
    summary: 'My wallet verification profile and its documents',
    access: 'employee',
    topics: ['kyc'],
    reply: verification,
  }),
  uploadDocument: defineRoute('POST /api/kyc/documents/{type}', {
    summary: 'Upload an image; it replaces the one of its type',
    access: 'employee',
    params: z.object({ type: z.enum(KYC_DOCUMENT_TYPES) }),
    query: z.object({
      fileName: z.string().max(1_000).default(''),
      /** Needed for a proof of address, which must not be older than 3 months; ignored for others. */
      issuedOn: day.optional(),
    }),
    upload: 'image',
    hourly: 'uploads',
    reply: kycDocument,
    status: 201,
    errors: [
      'issue_date_needed',
      'issue_date_future',
      'document_too_old',
      ...IMAGE_ERRORS,
      'application_not_found',
      'application_wrong_status',
      'verification_complete',
      'too_many_requests',
      'unavailable',
    ],
  }),
  createDocumentLink: defineRoute('POST /api/kyc/documents/{id}/link', {
    summary: 'A link to one of my documents that lives 3600 s',
    access: 'employee',
    changes: {},
    params: idParams,
    reply: documentLink,
    errors: ['document_not_found'],
  }),
  getDocument: defineRoute('GET /api/documents/{id}', {
    summary: 'The image a link points at',
    access: 'signedIn',
    params: z.object({ id }),
    query: z.object({
      /** Seconds since 1970. */
      expires: z.coerce.number().int().min(0).max(Number.MAX_SAFE_INTEGER),
      signature: z.string().max(100),
    }),
    reply: 'image',
    errors: ['link_invalid', 'document_not_found', 'unavailable'],
  }),
};
