import type { ReviewKind, ReviewStatus } from '#contract/kyc.ts';
import type { Reader } from '#server/db/tx.ts';
import { AppError } from '#server/lib/errors.ts';

/** An item of the review queue: an application that was submitted, or wallet documents. */
export interface ReviewItemRow {
  id: string;
  kind: ReviewKind;
  userId: string;
  status: ReviewStatus;
  submittedAt: Date;
}

/** @throws {AppError} `not_found` */
export async function loadItem(reader: Reader, id: string): Promise<ReviewItemRow> {
  const row = await reader
    .selectFrom('kycReviewItem')
    .select(['id', 'kind', 'userId', 'reviewStatus as status', 'submittedAt'])
    .where('id', '=', id)
    .executeTakeFirst();
  if (row === undefined) throw new AppError('not_found');
  return row;
}
