import { money } from '#contract/money.ts';
import type { Currency, Money } from '#contract/money.ts';
import type { Reader } from '#server/db/tx.ts';
import { accountBalances, monthlyTotals } from '#server/modules/ledger/index.ts';

/**
 * The sum that payroll has paid, individual funding included and reversals deducted: all that left the one
 * account of the ledger which payroll comes from. It reads one row of the ledger, or the few of one month.
 *
 * @param month the first day of a month of the company, `2026-12-01`; without one, all time
 */
export async function paidByPayroll(
  reader: Reader,
  { currency, month }: { currency: Currency; month?: string },
): Promise<Money> {
  const accounts = await reader
    .selectFrom('ledgerAccount')
    .select('id')
    .where('code', '=', 'payroll_funding')
    .where('currency', '=', currency)
    .execute();
  const accountIds = accounts.map(({ id }) => id);
  const minors =
    month === undefined
      ? [...(await accountBalances(reader, accountIds)).values()].map(
          ({ postedMinor }) => -postedMinor,
        )
      : (await monthlyTotals(reader, { accountIds, fromMonth: month, toMonth: month })).map(
          ({ debitMinor, creditMinor }) => debitMinor - creditMinor,
        );
  return money(
    minors.reduce((sum, minor) => sum + minor, 0n),
    currency,
  );
}
