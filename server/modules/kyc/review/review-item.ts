import { REVIEW_KINDS } from '#contract/kyc.ts';
import type { ReviewKind, ReviewStatus } from '#contract/kyc.ts';
import type { Reader } from '#server/db/tx.ts';
import { AppError, invariant } from '#server/lib/errors.ts';
import { asReviewStatus } from '../documents/profile.ts';

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
    .select(['id', 'kind', 'userId', 'reviewStatus', 'submittedAt'])
    .where('id', '=', id)
    .executeTakeFirst();
  if (row === undefined) throw new AppError('not_found');
  return asItem(row);
}

/** The view's columns count as nullable, and none of these ever is. */
export function asItem(row: {
  id: string | null;
  kind: string | null;
  userId: string | null;
  reviewStatus: string | null;
  submittedAt: Date | null;
}): ReviewItemRow {
  return {
    id: invariant(row.id, 'a review item has an id'),
    kind: asReviewKind(row.kind),
    userId: invariant(row.userId, 'a review item is about a person'),
    status: asReviewStatus(row.reviewStatus),
    submittedAt: invariant(row.submittedAt, 'a review item was submitted'),
  };
}

export function asReviewKind(kind: string | null): ReviewKind {
  return invariant(
    REVIEW_KINDS.find((one) => one === kind),
    `unknown kind of review ${kind}`,
  );
}
