import { sql } from 'kysely';
import type { KycStatus } from '#contract/kyc.ts';
import type { Reader } from '#server/db/tx.ts';
import type { Services } from '#server/services.ts';
import { latestApplication } from '../latest-application.ts';
import { openAnswers } from './answers.ts';

/**
 * True if the person's identity is approved, as outgoing money requires. An approved application
 * is never followed by another (`kyc_application_current`), so there is no newest one to look for.
 */
export async function isIdentityApproved(reader: Reader, userId: string): Promise<boolean> {
  const { rows } = await sql`
    SELECT FROM kyc_application WHERE user_id = ${userId} AND status = 'approved'`.execute(reader);
  return rows.length > 0;
}

/** The status of the person's latest application; null where there is none. */
export async function latestStatus(reader: Reader, userId: string): Promise<KycStatus | null> {
  const row = await latestApplication(reader, userId).select('status').executeTakeFirst();
  return row?.status ?? null;
}

/** The names on the approved applications of these people, by person; who has none is not there. */
export async function verifiedNames(
  reader: Reader,
  { vault }: Pick<Services, 'vault'>,
  userIds: readonly string[],
): Promise<Map<string, string>> {
  const { rows } = await sql<{ id: string; userId: string; answersEncrypted: Buffer | null }>`
    SELECT id, user_id, answers_encrypted FROM kyc_application
     WHERE user_id = ANY (${userIds}::uuid[]) AND status = 'approved'`.execute(reader);
  const names = new Map<string, string>();
  for (const row of rows) {
    const { fullName } = await openAnswers(reader, vault, row);
    if (fullName !== undefined) names.set(row.userId, fullName);
  }
  return names;
}

/** The address on a person's approved application, in lines; none where no application is approved. */
export async function verifiedAddress(
  reader: Reader,
  { vault }: Pick<Services, 'vault'>,
  userId: string,
): Promise<string[]> {
  const row = await reader
    .selectFrom('kycApplication')
    .select(['id', 'userId', 'answersEncrypted'])
    .where('userId', '=', userId)
    .where('status', '=', 'approved')
    .executeTakeFirst();
  if (row === undefined) return [];
  const answers = await openAnswers(reader, vault, row);
  const region = [answers.state, answers.postalCode].filter(Boolean).join(' ');
  return [
    [answers.addressLine1, answers.addressLine2].filter(Boolean).join(', '),
    [answers.city, region].filter(Boolean).join(', '),
  ].filter((line) => line !== '');
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
