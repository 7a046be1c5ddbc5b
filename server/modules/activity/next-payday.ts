import { dayIn } from '#contract/calendar.ts';
import type { Reader } from '#server/db/tx.ts';
import { nextPayrollDate } from '#server/lib/calendar.ts';
import type { CompanySettings } from '#server/modules/settings/index.ts';

/**
 * The day a person is paid next: the one on which a payroll that is sent and has a line of theirs is
 * posted, and without one the next day of the company's schedule. What still waits for its approval
 * promises nothing.
 */
export async function nextPayday(
  reader: Reader,
  settings: CompanySettings,
  { userId, now }: { userId: string; now: Date },
): Promise<string> {
  const sent = await reader
    .selectFrom('payrollLine')
    .innerJoin('payrollBatch', 'payrollBatch.id', 'payrollLine.batchId')
    .select('payrollBatch.postAfter')
    .where('payrollLine.userId', '=', userId)
    .where('payrollLine.status', '=', 'draft')
    .where('payrollBatch.status', 'in', ['pending', 'processing'])
    .where('payrollBatch.fundingType', 'is', null)
    .orderBy('payrollBatch.postAfter')
    .limit(1)
    .executeTakeFirst();
  if (sent === undefined) return nextPayrollDate(settings, now);
  const today = dayIn(settings.timeZone, now);
  const day = dayIn(settings.timeZone, sent.postAfter);
  return day < today ? today : day;
}
