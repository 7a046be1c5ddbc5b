import { sql } from 'kysely';
import type { RouteReply } from '#contract/api.ts';
import { money } from '#contract/money.ts';
import type { Currency } from '#contract/money.ts';
import { WALLET_LABELS, WALLET_TYPES } from '#contract/wallets.ts';
import type { WalletType } from '#contract/wallets.ts';
import type { Reader } from '#server/db/tx.ts';
import { monthlyTotals } from '#server/modules/ledger/index.ts';
import type { MonthlyTotal } from '#server/modules/ledger/index.ts';
import { earnedBy } from './earnings.ts';

type YearSoFar = RouteReply<'getEmployeeDashboard'>['yearSoFar'];

interface Wallet {
  type: WalletType;
  ledgerAccountId: string;
}

interface Sums {
  inMinor: bigint;
  outMinor: bigint;
}

/**
 * Sums into and out of a person's accounts this year, by account and by month, and those that wait to
 * leave, from the ledger's monthly totals and the few requests that are open. As in the history: what
 * came back did not leave, what was taken back or recovered did not come, and what was moved between the accounts did neither.
 * `today` is `2026-12-08`.
 */
export async function yearSoFar(
  reader: Reader,
  { userId, currency, today }: { userId: string; currency: Currency; today: string },
): Promise<YearSoFar> {
  const year = today.slice(0, 4);
  const wallets = await reader
    .selectFrom('wallet')
    .select(['type', 'ledgerAccountId'])
    .where('userId', '=', userId)
    .execute();
  const totals = await monthlyTotals(reader, {
    accountIds: wallets.map(({ ledgerAccountId }) => ledgerAccountId),
    fromMonth: `${year}-01-01`,
    toMonth: `${year}-12-01`,
  });
  const present = ({ inMinor, outMinor }: Sums) => ({
    received: money(inMinor, currency),
    withdrawn: money(outMinor, currency),
  });
  const months = Number(today.slice(5, 7));
  const all = sum(totals);
  const { payrollMinor, depositMinor } = earnedBy(totals);
  return {
    ...present(all),
    payroll: money(payrollMinor, currency),
    deposits: money(depositMinor, currency),
    payments: money(all.inMinor - payrollMinor - depositMinor, currency),
    accounts: inOrder(wallets).map(({ type, ledgerAccountId }) => ({
      type,
      name: WALLET_LABELS[type],
      ...present(sum(totals.filter(({ accountId }) => accountId === ledgerAccountId))),
    })),
    months: Array.from({ length: months }, (_, index) =>
      present(sum(totals.filter(({ month }) => Number(month.slice(5, 7)) === index + 1))),
    ),
    ...(await readWaiting(reader, userId, currency)),
  };
}

function inOrder(wallets: readonly Wallet[]): Wallet[] {
  return wallets.toSorted((a, b) => WALLET_TYPES.indexOf(a.type) - WALLET_TYPES.indexOf(b.type));
}

/** A reversal's credit is money that came back, and its debit money that was taken back. */
function sum(totals: readonly MonthlyTotal[]): Sums {
  const sums = { inMinor: 0n, outMinor: 0n };
  for (const { kind, creditMinor, debitMinor } of totals) {
    if (kind === 'move') continue;
    if (kind === 'recovery') {
      sums.inMinor += creditMinor - debitMinor;
      continue;
    }
    sums.inMinor += kind === 'reversal' ? -debitMinor : creditMinor;
    sums.outMinor += kind === 'reversal' ? -creditMinor : debitMinor;
  }
  return sums;
}

/** Held are requests that wait; on its way is what was sent and has not arrived. */
async function readWaiting(
  reader: Reader,
  userId: string,
  currency: Currency,
): Promise<Pick<YearSoFar, 'held' | 'onItsWay'>> {
  const { rows } = await sql<{ heldMinor: bigint; onItsWayMinor: bigint }>`
    SELECT coalesce(sum(amount_minor) FILTER (WHERE NOT is_sent), 0)::bigint AS held_minor,
           coalesce(sum(amount_minor) FILTER (WHERE is_sent), 0)::bigint AS on_its_way_minor
      FROM (SELECT amount_minor, status = 'processing' AS is_sent FROM withdrawal
             WHERE user_id = ${userId} AND status IN ('pending', 'approved', 'processing')
            UNION ALL
            SELECT amount_minor, status = 'sent' FROM bill
             WHERE user_id = ${userId} AND status IN ('scheduled', 'due', 'sent')) AS open`.execute(
    reader,
  );
  return {
    held: money(rows[0]?.heldMinor ?? 0n, currency),
    onItsWay: money(rows[0]?.onItsWayMinor ?? 0n, currency),
  };
}
