import { sql } from 'kysely';
import type { Reader } from '#server/db/tx.ts';

/**
 * The person's latest application, to be selected from: the one that is not rejected, of which there
 * is one at most and always the newest, or else the newest of the rejected.
 */
export function latestApplication(reader: Reader, userId: string) {
  return reader
    .selectFrom('kycApplication')
    .where('userId', '=', userId)
    .orderBy(sql`status = 'rejected'`)
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .limit(1);
}
