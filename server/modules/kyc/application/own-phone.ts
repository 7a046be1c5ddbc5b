import type { Reader } from '#server/db/tx.ts';
import type { Services } from '#server/services.ts';
import { openAnswers } from './answers.ts';
import { latestApplication } from '../latest-application.ts';

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
