import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { FilterOf } from '#contract/list.ts';
import type { paidList } from '#contract/lists.ts';
import type { Reader } from '#server/db/tx.ts';
import { endOfDay, startOfDay } from '#server/modules/history/index.ts';
import { readSettings } from '#server/modules/settings/index.ts';
import type { CompanySettings } from '#server/modules/settings/index.ts';

export type PaidFilter = FilterOf<typeof paidList>;

/** The days that payments are read of, and the settings they are shown by. */
export interface PaidScope {
  settings: CompanySettings;
  /** The first moment of the days, and the first after them. */
  start: RawBuilder<Date>;
  end: RawBuilder<Date>;
  /** True without a first and a last day. */
  isOfAllDays: boolean;
}

export async function paidScope(
  reader: Reader,
  { from, to }: Pick<PaidFilter, 'from' | 'to'>,
): Promise<PaidScope> {
  const settings = await readSettings(reader);
  return {
    settings,
    isOfAllDays: from === '' && to === '',
    start: from === '' ? sql<Date>`'-infinity'::timestamptz` : startOfDay(from, settings.timeZone),
    end: to === '' ? sql<Date>`'infinity'::timestamptz` : endOfDay(to, settings.timeZone),
  };
}

/**
 * Condition that `app_user` was paid within the days. Of all days, the ledger's totals of their accounts say so; what
 * was taken back was paid before.
 */
export function wasPaid(scope: PaidScope): RawBuilder<boolean> {
  if (!scope.isOfAllDays) {
    return sql`EXISTS (SELECT FROM ${payments(scope, sql`wallet.user_id = app_user.id`)})`;
  }
  return sql`EXISTS (
    SELECT FROM wallet JOIN ledger_total AS total ON total.account_id = wallet.ledger_account_id
     WHERE wallet.user_id = app_user.id AND total.kind IN ('payroll', 'funding'))`;
}

/** The kind of a payment that comes from no individual funding. */
export const PAYROLL = 'payroll';

/**
 * The entries on people's wallets that payrolls and fundings made within the days, and the reversals of
 * them and of parts of them and recoveries, which take money back. Columns: `user_id`, `minor` (signed) and `kind`, which is `payroll` or a
 * type of funding. They come from the ledger, so their sum is what payroll funding has paid out. A transaction of the
 * kind `payroll` says itself that it is no funding, so its line is not looked up.
 */
export function payments(
  { start, end }: PaidScope,
  isOf: RawBuilder<boolean>,
): RawBuilder<unknown> {
  return sql`(
    SELECT wallet.user_id, entry.amount AS minor, coalesce(batch.funding_type, ${PAYROLL}) AS kind
      FROM wallet
      JOIN ledger_entry AS entry ON entry.account_id = wallet.ledger_account_id
      JOIN ledger_transaction AS one ON one.id = entry.transaction_id
      LEFT JOIN payroll_line AS line ON line.id = CASE WHEN one.kind <> ${PAYROLL} THEN one.subject_id END
      LEFT JOIN payroll_batch AS batch ON batch.id = line.batch_id
     WHERE ${isOf} AND entry.effective_at >= ${start} AND entry.effective_at < ${end}
       AND (one.kind IN ('payroll', 'funding', 'recovery') OR one.kind = 'reversal' AND line.id IS NOT NULL)
    ) AS payment`;
}
