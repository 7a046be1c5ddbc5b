import { sql } from 'kysely';
import { PAYSLIPS_SHOWN, payslipId, statementId } from '#contract/account-documents.ts';
import type { AccountDocuments, Payslip, Statement } from '#contract/api.ts';
import { dayIn, daysBetween } from '#contract/calendar.ts';
import { payKind } from '#contract/funding.ts';
import { money } from '#contract/money.ts';
import { WALLET_LABELS } from '#contract/wallets.ts';
import type { Reader } from '#server/db/tx.ts';
import { endOfDay, startOfDay } from '#server/modules/history/index.ts';
import { nextPayday } from '#server/modules/payroll/index.ts';
import { lastDayOf, monthAfter, monthIn, monthsBetween } from './months.ts';
import { hasMonth, ownWallets } from './own-wallets.ts';
import type { OwnWallet } from './own-wallets.ts';
import { paidLines } from './paid-lines.ts';
import type { PaidLine } from './paid-lines.ts';
import type { DocumentScope } from './scope.ts';
import { accountWords } from './words.ts';

/**
 * A person's payslips and monthly statements of one year. The statement of the current month is not
 * final; the list has the day on which it will be.
 *
 * @param year null is the company's current year
 */
export async function listAccountDocuments(
  reader: Reader,
  scope: DocumentScope,
  asked: number | null,
): Promise<AccountDocuments> {
  const { person, settings, now } = scope;
  const today = dayIn(settings.timeZone, now);
  const thisYear = Number(today.slice(0, 4));
  const year = asked ?? thisYear;
  const wallets = await ownWallets(reader, person.id, settings.timeZone);
  const since = Math.min(thisYear, ...wallets.map((own) => Number(own.firstMonth.slice(0, 4))));
  const payday = await nextPayday(reader, settings, { userId: person.id, now });
  return {
    year,
    years: Array.from({ length: thisYear - since + 1 }, (_, index) => thisYear - index),
    nextPayday: payday === null ? null : { date: payday, inDays: daysBetween(today, payday) },
    payslips: await payslipsOf(reader, scope, year),
    statements: await statementsOf(reader, scope, { wallets, year }),
  };
}

async function payslipsOf(
  reader: Reader,
  { person, settings: { currency, timeZone } }: DocumentScope,
  year: number,
): Promise<AccountDocuments['payslips']> {
  const { rows } = await sql<
    PaidLine & { total: bigint; totalMinor: bigint; reimbursedMinor: bigint }
  >`
    SELECT *, count(*) OVER () AS total,
           coalesce(sum(amount_minor - reversed_minor) OVER (), 0)::bigint AS total_minor,
           coalesce(sum(amount_minor - reversed_minor) FILTER (
             WHERE funding_type = 'reimbursement') OVER (), 0)::bigint
             AS reimbursed_minor
      FROM ${paidLines(person.id)} AS paid
     WHERE effective_at >= ${startOfDay(`${year}-01-01`, timeZone)}
       AND effective_at < ${endOfDay(`${year}-12-31`, timeZone)}
     ORDER BY effective_at DESC, id DESC LIMIT ${PAYSLIPS_SHOWN}`.execute(reader);
  return {
    items: rows.map((line): Payslip => ({
      id: payslipId(line.id),
      reference: line.reference,
      paidOn: dayIn(timeZone, line.effectiveAt),
      payPeriod: line.payPeriod,
      kind: payKind(line.fundingType),
      account: accountWords(line.walletType, line.last4),
      amount: money(line.amountMinor, currency),
      reversed: money(line.reversedMinor, currency),
      isReversed: line.reversedMinor === line.amountMinor,
    })),
    total: Number(rows[0]?.total ?? 0n),
    totalPaid: money(rows[0]?.totalMinor ?? 0n, currency),
    reimbursed: money(rows[0]?.reimbursedMinor ?? 0n, currency),
  };
}

/** Grouped by account, newest first in each. */
async function statementsOf(
  reader: Reader,
  { settings: { currency, timeZone }, now }: DocumentScope,
  { wallets, year }: { wallets: readonly OwnWallet[]; year: number },
): Promise<Statement[]> {
  const thisMonth = monthIn(timeZone, now);
  const lastMonth = [`${year}-12`, thisMonth].toSorted()[0] ?? thisMonth;
  const months = monthsBetween(`${year}-01`, lastMonth).toReversed();
  const wanted = wallets.flatMap((wallet) =>
    months.filter((month) => hasMonth(wallet, month)).map((month) => ({ wallet, month })),
  );
  const figures = await readMonths(reader, wanted, timeZone);
  return wanted.map(({ wallet, month }, index) => ({
    id: statementId(wallet.type, month),
    account: wallet.type,
    accountName: WALLET_LABELS[wallet.type],
    accountLast4: wallet.last4,
    month,
    entries: Number(figures[index]?.entries ?? 0n),
    closing: money(figures[index]?.closingMinor ?? 0n, currency),
    finalOn: month < thisMonth ? null : `${monthAfter(month)}-01`,
  }));
}

/** Number of entries of each month, and the balance at its end, by two index lookups each. */
async function readMonths(
  reader: Reader,
  wanted: readonly { wallet: OwnWallet; month: string }[],
  timeZone: string,
): Promise<{ entries: bigint; closingMinor: bigint }[]> {
  if (wanted.length === 0) return [];
  const { rows } = await sql<{ entries: bigint; closingMinor: bigint }>`
    SELECT coalesce((SELECT sum(count) FROM ledger_total
                      WHERE account_id = asked.account_id AND month = asked.first_day), 0)::bigint
             AS entries,
           coalesce((SELECT balance_after FROM ledger_entry
                      WHERE account_id = asked.account_id
                        AND effective_at < ((asked.last_day + 1)::timestamp AT TIME ZONE ${timeZone})
                      ORDER BY effective_at DESC, account_version DESC LIMIT 1), 0)::bigint
             AS closing_minor
      FROM unnest(${wanted.map(({ wallet }) => wallet.ledgerAccountId)}::uuid[],
                  ${wanted.map(({ month }) => `${month}-01`)}::date[],
                  ${wanted.map(({ month }) => lastDayOf(month))}::date[])
           WITH ORDINALITY AS asked (account_id, first_day, last_day, place)
     ORDER BY asked.place`.execute(reader);
  return rows;
}
