import { sql } from 'kysely';
import { addDays, dayIn } from '#contract/calendar.ts';
import type { Reader } from '#server/db/tx.ts';
import { countsFrom, paydaysAfter } from '#server/lib/calendar.ts';
import type { CompanySettings } from '#server/modules/settings/index.ts';
import { payDay } from './rules.ts';

interface PersonNow {
  userId: string;
  now: Date;
}

/**
 * The day a person is paid next: the one on which a payroll that is sent and has a line of theirs is
 * posted, and without one the next payday of the company's schedule for which they were not paid yet.
 * A payroll that waits for approval does not count. Null without a schedule.
 */
export async function nextPayday(
  reader: Reader,
  settings: CompanySettings,
  { userId, now }: PersonNow,
): Promise<string | null> {
  const today = dayIn(settings.timeZone, now);
  const sentFor = await postingDay(reader, settings, userId);
  if (sentFor !== null) return sentFor < today ? today : sentFor;
  const [payday, following] = paydaysAfter(settings, addDays(today, -1), 2);
  if (payday === undefined || following === undefined) return null;
  const isPaid = await wasPaidSince(reader, settings, {
    userId,
    day: countsFrom(settings, payday.on),
  });
  return isPaid ? following.on : payday.on;
}

async function postingDay(
  reader: Reader,
  { timeZone }: CompanySettings,
  userId: string,
): Promise<string | null> {
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
  return sent === undefined ? null : dayIn(timeZone, sent.postAfter);
}

/** True if a payroll of that day or a later one paid the person, or a funding did in place of its line. */
async function wasPaidSince(
  reader: Reader,
  { timeZone }: CompanySettings,
  { userId, day }: { userId: string; day: string },
): Promise<boolean> {
  const { rows } = await sql<{ isPaid: boolean }>`
    SELECT EXISTS (
      SELECT FROM payroll_line AS line JOIN payroll_batch AS batch ON batch.id = line.batch_id
       WHERE line.user_id = ${userId} AND batch.funding_type IS NULL
         AND (line.status = 'processed' OR EXISTS (
                SELECT FROM payroll_batch AS funding
                 WHERE funding.id = line.paid_by AND funding.status = 'completed'))
         AND ${payDay(timeZone)} >= ${day}::date) AS is_paid`.execute(reader);
  return rows[0]?.isPaid === true;
}
