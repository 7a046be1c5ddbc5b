import type { PayrollPreview } from '#contract/api.ts';
import { money } from '#contract/money.ts';
import type { Reader } from '#server/db/tx.ts';
import { AppError } from '#server/lib/errors.ts';

export type SentBatch = NonNullable<PayrollPreview['recentBatch']>;

/** A batch that has paid, or is about to pay, the same people, as an admin is shown it. */
export async function readSentBatch(reader: Reader, id: string): Promise<SentBatch> {
  const row = await reader
    .selectFrom('payrollBatch as batch')
    .innerJoin('appUser as creator', 'creator.id', 'batch.createdBy')
    .select(['batch.number', 'batch.name', 'batch.createdAt', 'batch.status', 'batch.currency'])
    .select(['batch.payableCount', 'batch.totalMinor', 'creator.name as sentBy'])
    .where('batch.id', '=', id)
    .executeTakeFirstOrThrow();
  return {
    number: row.number,
    name: row.name,
    status: row.status,
    sentBy: row.sentBy,
    sentAt: row.createdAt.toISOString(),
    employees: row.payableCount,
    total: money(row.totalMinor, row.currency),
  };
}

/** The refusal of a preview after which that batch was sent. */
export function sentMeanwhile({ total, ...batch }: SentBatch): AppError {
  return new AppError('preview_stale', {
    ...batch,
    totalMinor: total.minor,
    currency: total.currency,
  });
}
