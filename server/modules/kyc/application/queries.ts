import type { KycStatus } from '#contract/kyc.ts';
import type { Reader } from '#server/db/tx.ts';
import type { Services } from '#server/services.ts';
import { latestApplication } from '../latest-application.ts';
import { openAnswers } from './answers.ts';

/**
 * Whether the person's identity is approved: what outgoing money asks for. An approved application
 * is never followed by another (`kyc_application_current`), so there is no newest one to look for.
 */
export async function isIdentityApproved(reader: Reader, userId: string): Promise<boolean> {
  const row = await reader
    .selectFrom('kycApplication')
    .select('id')
    .where('userId', '=', userId)
    .where('status', '=', 'approved')
    .executeTakeFirst();
  return row !== undefined;
}

/** The status of the person's latest application; null where there is none. */
export async function latestStatus(reader: Reader, userId: string): Promise<KycStatus | null> {
  const row = await latestApplication(reader, userId).select('status').executeTakeFirst();
  return row?.status ?? null;
}

/** The phone number of a person's latest application; null where there is none. */
export async function phoneNumberOf(
  reader: Reader,
  { vault }: Pick<Services, 'vault'>,
  userId: string,
): Promise<string | null> {
  const row = await latestApplication(reader, userId)
    .select(['id', 'userId', 'answersEncrypted'])
    .executeTakeFirst();
  if (row === undefined) return null;
  const { phoneNumber } = await openAnswers(reader, vault, row);
  return phoneNumber ?? null;
}
