import { sql } from 'kysely';
import type { FundableEmployee, FundingAccounts, RouteReply } from '#contract/api.ts';
import type { Department } from '#contract/company.ts';
import type { FundingType } from '#contract/funding.ts';
import { fundableList } from '#contract/lists.ts';
import { money } from '#contract/money.ts';
import type { Currency } from '#contract/money.ts';
import { WALLET_LABELS } from '#contract/wallets.ts';
import type { WalletType } from '#contract/wallets.ts';
import { ascending, key } from '#server/db/list-order.ts';
import { readsList } from '#server/db/list.ts';
import { DIRECTORY_WORDS } from '#server/db/search.ts';
import type { Reader } from '#server/db/tx.ts';
import { AppError, invariant } from '#server/lib/errors.ts';
import { readThreshold } from '#server/modules/security/index.ts';
import { readSettings } from '#server/modules/settings/index.ts';
import type { CompanySettings } from '#server/modules/settings/index.ts';
import { listWallets } from '#server/modules/wallets/index.ts';
import type { Services } from '#server/services.ts';
import { alreadyPaid, periodNow, presentPaid } from '../already-paid.ts';
import type { PaidRow, PeriodNow } from '../already-paid.ts';

/** Someone who can be funded. */
export interface Fundable {
  id: string;
  name: string;
  employeeNumber: string | null;
  department: Department;
}

interface FundableRow extends Fundable {
  walletType: WalletType | null;
  walletLast4: string | null;
  availableMinor: bigint | null;
  paidType: FundingType | 'payroll' | null;
  paidMinor: bigint | null;
  paidAt: Date | null;
}

/** People of the company: neither applicants nor those who left. */
const IS_FUNDABLE = sql<boolean>`app_user.is_employee AND app_user.accepted_at IS NOT NULL
  AND app_user.deactivated_at IS NULL`;

const ID = key(sql`app_user.id`, 'uuid');
const NAME = key(sql`app_user.name`, 'text');

/** Order by name, as in the directory: the same indexes serve both. */
export const fundableEmployees = readsList(fundableList, {
  from: () => [sql`app_user`],
  id: sql`app_user.id`,
  within: () => IS_FUNDABLE,
  where: { department: (department) => sql`app_user.department = ${department}` },
  search: { words: DIRECTORY_WORDS },
  sorts: {
    employee: [NAME, ID],
    department: [key(sql`app_user.department`, 'text'), NAME, ID],
  },
  segments: () => [{ order: ascending(NAME, ID) }],
  rows: readFundableRows,
  present: presentFundable,
});

/** These people as they are shown, in any order: one statement. */
async function readFundableRows(reader: Reader, ids: readonly string[]): Promise<FundableRow[]> {
  const { rows } = await sql<FundableRow>`
    SELECT app_user.id, app_user.name, app_user.employee_number, app_user.department,
           first.type AS wallet_type, first.last4 AS wallet_last4, first.available_minor,
           CASE WHEN batch.id IS NOT NULL THEN coalesce(batch.funding_type, 'payroll') END AS paid_type,
           last.amount_minor - last.reversed_minor AS paid_minor, last.processed_at AS paid_at
      FROM app_user
      LEFT JOIN LATERAL (
       SELECT wallet.type, wallet.last4, account.posted - account.held AS available_minor
         FROM wallet JOIN ledger_account AS account ON account.id = wallet.ledger_account_id
        WHERE wallet.user_id = app_user.id AND wallet.closed_at IS NULL
        ORDER BY (wallet.type = 'salary') DESC, wallet.created_at, wallet.id LIMIT 1) AS first ON true
      LEFT JOIN LATERAL (
       SELECT * FROM payroll_line WHERE user_id = app_user.id AND status = 'processed'
        ORDER BY processed_at DESC, batch_id DESC LIMIT 1) AS last ON true
      LEFT JOIN payroll_batch AS batch ON batch.id = last.batch_id
     WHERE app_user.id = ANY (${ids}::uuid[])`.execute(reader);
  return rows;
}

function presentFundable(row: FundableRow, { currency }: CompanySettings): FundableEmployee {
  return {
    id: row.id,
    name: row.name,
    employeeId: row.employeeNumber,
    department: row.department,
    account: presentAccount(row, currency),
    lastPaid:
      row.paidType === null || row.paidMinor === null || row.paidAt === null
        ? null
        : {
            type: row.paidType,
            amount: money(row.paidMinor, currency),
            at: row.paidAt.toISOString(),
          },
  };
}

function presentAccount(row: FundableRow, currency: Currency): FundableEmployee['account'] {
  const { walletType, walletLast4, availableMinor } = row;
  if (walletType === null || walletLast4 === null || availableMinor === null) return null;
  return {
    name: WALLET_LABELS[walletType],
    last4: walletLast4,
    available: money(availableMinor, currency),
  };
}

/** @throws {AppError} `person_not_found`, also for who cannot be funded */
export async function findFundable(reader: Reader, userId: string): Promise<Fundable> {
  const row = await reader
    .selectFrom('appUser')
    .select(['id', 'name', 'employeeNumber', 'department'])
    .where('id', '=', userId)
    .where(IS_FUNDABLE)
    .executeTakeFirst();
  if (row === undefined) throw new AppError('person_not_found');
  return row;
}

/** @throws {AppError} `person_not_found` */
export async function fundingAccounts(
  reader: Reader,
  { clock }: Pick<Services, 'clock'>,
  userId: string,
): Promise<FundingAccounts> {
  const { employeeNumber, ...employee } = await findFundable(reader, userId);
  const { accounts } = await listWallets(reader, userId);
  const settings = await readSettings(reader);
  const period = periodNow(settings, clock.now());
  const paid = await paidPerson(reader, userId, period);
  const approvalFromMinor = await readThreshold(reader, settings, 'payroll');
  return {
    employee: { ...employee, employeeId: employeeNumber },
    wallets: accounts,
    approvalFrom: approvalFromMinor === null ? null : money(approvalFromMinor, settings.currency),
    paid:
      paid === null
        ? null
        : {
            ...presentPaid(paid, settings.currency),
            since: period.since,
            hash: paid.paidHash,
          },
  };
}

/** Payments of the pay period to a person, made or about to be made; null if there are none. */
export async function paidPerson(
  reader: Reader,
  userId: string,
  period: PeriodNow,
): Promise<(PaidRow & { paidHash: string }) | null> {
  const { rows } = await sql<PaidRow & { paidHash: string }>`
    WITH ${alreadyPaid(sql`${userId}::uuid`, period)}
    SELECT paid.paid_minor, payments, newest_type, newest_at, paid_hash
      FROM paid, paid_summary`.execute(reader);
  return rows[0] ?? null;
}

/** The three figures over the list. Months are the company's. */
export async function fundingStats(
  reader: Reader,
  { clock }: Pick<Services, 'clock'>,
): Promise<RouteReply<'adminGetFundingStats'>> {
  const { currency, timeZone } = await readSettings(reader);
  const monthStart = sql`date_trunc('month', ${clock.now()}::timestamptz AT TIME ZONE ${timeZone})
    AT TIME ZONE ${timeZone}`;
  const { rows } = await sql<{
    employees: number;
    withAccount: number;
    monthMinor: bigint;
    monthCount: number;
    everMinor: bigint;
    everCount: number;
  }>`
    SELECT people.*, holders.*, sums.*
      FROM (SELECT count(*)::integer AS employees FROM app_user WHERE ${IS_FUNDABLE}) AS people,
           (SELECT count(*)::integer AS with_account
              FROM app_user
             WHERE ${IS_FUNDABLE} AND EXISTS (
               SELECT FROM wallet WHERE wallet.user_id = app_user.id AND closed_at IS NULL)) AS holders,
           (SELECT coalesce(sum(paid_minor - reversed_minor), 0)::bigint AS ever_minor,
                   coalesce(sum(paid_count - reversed_count), 0)::integer AS ever_count,
                   coalesce(sum(paid_minor - reversed_minor) FILTER (WHERE processed_at >= ${monthStart}), 0)::bigint
                     AS month_minor,
                   coalesce(sum(paid_count - reversed_count) FILTER (WHERE processed_at >= ${monthStart}), 0)::integer
                     AS month_count
              FROM payroll_batch
             WHERE funding_type IS NOT NULL AND status = 'completed') AS sums`.execute(reader);
  const row = invariant(rows[0], 'an aggregate gave no row');
  return {
    employees: row.employees,
    withAccount: row.withAccount,
    month: { total: money(row.monthMinor, currency), count: row.monthCount },
    ever: { total: money(row.everMinor, currency), count: row.everCount },
  };
}
