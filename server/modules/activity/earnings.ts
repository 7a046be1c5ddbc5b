import { sql } from 'kysely';
import { PAYROLL_TYPES } from '#contract/activity.ts';
import type { RouteReply } from '#contract/api.ts';
import { money } from '#contract/money.ts';
import type { Currency } from '#contract/money.ts';
import type { Reader } from '#server/db/tx.ts';
import { monthlyTotals } from '#server/modules/ledger/index.ts';
import type { MonthlyTotal } from '#server/modules/ledger/index.ts';

type Dashboard = RouteReply<'getEmployeeDashboard'>;

/** Kinds of transaction that a person earns by. */
const EARNING_KINDS = [...PAYROLL_TYPES, 'deposit'] as const;

interface Earnings {
  ytdEarnings: Dashboard['ytdEarnings'];
  /** The two parts of it. */
  ytdPayroll: Dashboard['ytdPayroll'];
  ytdDeposits: Dashboard['ytdDeposits'];
  /** January to December; months to come are null. */
  earningsByMonth: Dashboard['earningsByMonth'];
}

/**
 * This year's payroll, individual funding and deposits, less what of them was reversed, from the
 * ledger's monthly totals. `today` is `2026-12-08`.
 */
export async function earningsOfYear(
  reader: Reader,
  { userId, currency, today }: { userId: string; currency: Currency; today: string },
): Promise<Earnings> {
  const year = today.slice(0, 4);
  const thisMonth = Number(today.slice(5, 7));
  const totals = await monthlyTotals(reader, {
    accountIds: await accountsOf(reader, userId),
    fromMonth: `${year}-01-01`,
    toMonth: `${year}-12-01`,
    kinds: [...EARNING_KINDS, 'reversal', 'recovery'],
  });
  const { payrollMinor, depositMinor } = earnedBy(totals);
  return {
    ytdEarnings: money(payrollMinor + depositMinor, currency),
    ytdPayroll: money(payrollMinor, currency),
    ytdDeposits: money(depositMinor, currency),
    earningsByMonth: Array.from({ length: 12 }, (_, index) => {
      if (index >= thisMonth) return null;
      const ofMonth = earnedBy(
        totals.filter(({ month }) => Number(month.slice(5, 7)) === index + 1),
      );
      return money(ofMonth.payrollMinor + ofMonth.depositMinor, currency);
    }),
  };
}

/**
 * The money that payroll paid a person and that they deposited. What was taken back is deducted from
 * payroll: nothing takes back a deposit.
 */
export function earnedBy(
  totals: readonly Pick<MonthlyTotal, 'kind' | 'creditMinor' | 'debitMinor'>[],
): { payrollMinor: bigint; depositMinor: bigint } {
  const earned = { payrollMinor: 0n, depositMinor: 0n };
  for (const { kind, creditMinor, debitMinor } of totals) {
    // A reversal's credit is a payout that came back, which is no earning.
    if (kind === 'reversal') earned.payrollMinor -= debitMinor;
    // Recovered money of an earlier payment is no earning any more, until it is given back.
    if (kind === 'recovery') earned.payrollMinor += creditMinor - debitMinor;
    if (PAYROLL_TYPES.some((type) => type === kind)) earned.payrollMinor += creditMinor;
    if (kind === 'deposit') earned.depositMinor += creditMinor;
  }
  return earned;
}

/**
 * The last payroll, individual funding or deposit that came into any of the person's wallets and was not reversed, less
 * what was taken back of it.
 */
export async function lastDeposit(
  reader: Reader,
  { userId, currency }: { userId: string; currency: Currency },
): Promise<Dashboard['lastDeposit']> {
  const { rows } = await sql<{ amount: bigint; description: string; effectiveAt: Date }>`
    SELECT entry.amount, entry.description, entry.effective_at
      FROM wallet
     CROSS JOIN LATERAL (
       SELECT entry.amount - coalesce(line.reversed_minor, 0) AS amount, entry.effective_at,
              one.description
         FROM ledger_entry AS entry
         JOIN ledger_transaction AS one ON one.id = entry.transaction_id
         LEFT JOIN payroll_line AS line ON line.id = one.subject_id
        WHERE entry.account_id = wallet.ledger_account_id AND entry.amount > 0
          AND one.kind = ANY (${EARNING_KINDS}::text[])
          AND NOT EXISTS (SELECT FROM ledger_transaction AS reversal
                           WHERE reversal.reverses_id = one.id)
          AND line.status IS DISTINCT FROM 'reversed'
        ORDER BY entry.account_version DESC LIMIT 1) AS entry
     WHERE wallet.user_id = ${userId}
     ORDER BY entry.effective_at DESC LIMIT 1`.execute(reader);
  const [row] = rows;
  if (row === undefined) return null;
  return {
    amount: money(row.amount, currency),
    description: row.description,
    at: row.effectiveAt.toISOString(),
  };
}

async function accountsOf(reader: Reader, userId: string): Promise<string[]> {
  const rows = await reader
    .selectFrom('wallet')
    .select('ledgerAccountId')
    .where('userId', '=', userId)
    .execute();
  return rows.map((row) => row.ledgerAccountId);
}
