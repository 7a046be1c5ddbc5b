import type { KycApplication as MyApplication } from '#contract/api.ts';
import {
  APPLICATION_DOCUMENT_TYPES,
  KYC_REQUIRED_FIELDS,
  statusPageCompletion,
} from '#contract/kyc.ts';
import type { KycApplication } from '#contract/routes/kyc.ts';
import type { Reader } from '#server/db/tx.ts';
import { readSettings } from '#server/modules/settings/index.ts';
import { walletDocuments } from './documents.ts';

/** An application with what its owner's screens show besides: how far it is, and the legal age. */
export async function withCompletion(
  reader: Reader,
  application: KycApplication,
): Promise<MyApplication> {
  const { answered, documents, userId } = application;
  const { kycMinAgeYears } = await readSettings(reader);
  const walletCount = (await walletDocuments(reader, userId)).length;
  return {
    ...application,
    completion: {
      requiredAnswered: KYC_REQUIRED_FIELDS.filter((name) => answered.includes(name)).length,
      requiredTotal: KYC_REQUIRED_FIELDS.length,
      documentsUploaded: documents.length,
      documentsRequired: APPLICATION_DOCUMENT_TYPES.length,
      statusPage: statusPageCompletion(answered, walletCount),
    },
    minAgeYears: kycMinAgeYears,
  };
}
