import { sql } from 'kysely';
import type { ApplicationReview } from '#contract/api.ts';
import type { DuplicateSignal } from '#contract/kyc.ts';
import type { Reader } from '#server/db/tx.ts';
import type { DocumentRow } from '../documents/documents.ts';
import type { ApplicationRow } from '../application/history.ts';

type Duplicate = ApplicationReview['duplicates'][number];
type Person = Duplicate['people'][number];

/** More than this many share something only where it is nobody's, such as the company's address. */
const MOST_PEOPLE = 10;

const COLUMNS = {
  id_number: 'idNumberHash',
  phone: 'phoneHash',
  address: 'addressHash',
} as const satisfies Partial<Record<DuplicateSignal, keyof ApplicationRow>>;

/**
 * Other people who gave the same ID number, phone or address in any application of theirs. Keyed
 * hashes are compared, so nothing is decrypted; those made under an older master key are not found
 * until that application is saved again.
 */
export async function duplicateAnswers(reader: Reader, row: ApplicationRow): Promise<Duplicate[]> {
  const found: Duplicate[] = [];
  for (const [signal, column] of Object.entries(COLUMNS) as [DuplicateSignal, 'phoneHash'][]) {
    const hash = row[column];
    if (hash === null) continue;
    const people = await reader
      .selectFrom('kycApplication')
      .innerJoin('appUser', 'appUser.id', 'kycApplication.userId')
      .select(['appUser.id', 'appUser.name', 'appUser.employeeNumber as employeeId'])
      .distinct()
      .where(column, '=', hash)
      .where('userId', '<>', row.userId)
      .orderBy('appUser.name')
      .limit(MOST_PEOPLE)
      .execute();
    if (people.length > 0) found.push({ signal, documentType: null, people });
  }
  return found;
}

/** Other people who uploaded one of these images, as it came or with other metadata. */
export async function duplicateImages(
  reader: Reader,
  documents: readonly DocumentRow[],
): Promise<Duplicate[]> {
  const found: Duplicate[] = [];
  for (const { type, userId, originalHash, imageHash } of documents) {
    const { rows: people } = await sql<Person>`
      SELECT DISTINCT app_user.id, app_user.name, app_user.employee_number AS "employeeId"
        FROM kyc_document JOIN app_user ON app_user.id = kyc_document.user_id
       WHERE (original_hash = ${originalHash} OR image_hash = ${imageHash})
         AND user_id <> ${userId}
       ORDER BY app_user.name LIMIT ${MOST_PEOPLE}`.execute(reader);
    if (people.length > 0) {
      found.push({ signal: 'image', documentType: type, people });
    }
  }
  return found;
}
