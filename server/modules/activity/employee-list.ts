import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { Employee } from '#contract/api.ts';
import { DEPARTMENTS } from '#contract/company.ts';
import type { KycStatus } from '#contract/kyc.ts';
import { employeeList } from '#contract/lists.ts';
import { decimalAmount, money } from '#contract/money.ts';
import type { EmployeeStanding } from '#contract/statuses.ts';
import { WALLET_LABELS } from '#contract/wallets.ts';
import { ascending, key } from '#server/db/list-order.ts';
import { readsList } from '#server/db/list.ts';
import { DIRECTORY_WORDS } from '#server/db/search.ts';
import { avatarUrl } from '#server/lib/avatar-url.ts';
import { plainCell, textCell } from '#server/lib/csv.ts';
import type { CompanySettings } from '#server/modules/settings/index.ts';
import {
  HAS_NO_PASSWORD,
  HAS_PASSWORD,
  readEmployeeRows,
  standingInList,
} from './employee-rows.ts';
import type { EmployeeRow } from './employee-rows.ts';

const ID = key(sql`app_user.id`, 'uuid');
const NAME = key(sql`app_user.name`, 'text');
const DEPARTMENT = key(sql`app_user.department`, 'text');

const BY_NAME = ascending(NAME, ID);
/** The order of the index `app_user_applicants`. */
const LONGEST_WAITING = ascending(key(sql`app_user.created_at`, 'instant'), ID);

const IS_IN = sql`app_user.deactivated_at IS NULL`;
const STANDS: Record<EmployeeStanding | 'frozen' | 'usual_pay', RawBuilder<boolean>> = {
  active: sql`app_user.accepted_at IS NOT NULL AND ${IS_IN} AND ${HAS_PASSWORD}`,
  invited: sql`app_user.accepted_at IS NOT NULL AND ${IS_IN} AND ${HAS_NO_PASSWORD}`,
  // An administrator who is also an employee was accepted: the condition of the index `app_user_applicants`.
  applicant: sql`app_user.role = 'employee' AND app_user.accepted_at IS NULL AND ${IS_IN}`,
  deactivated: sql`app_user.deactivated_at IS NOT NULL`,
  frozen: sql`app_user.payouts_frozen_at IS NOT NULL`,
  usual_pay: sql`EXISTS (
    SELECT FROM usual_pay_change AS change WHERE change.user_id = app_user.id AND change.status = 'waiting')`,
};

/** Everyone who is an employee, was one, or applied: by name; applicants alone oldest first. */
export const employees = readsList(employeeList, {
  from: () => [sql`app_user`],
  id: sql`app_user.id`,
  within: () => sql`app_user.is_employee`,
  where: {
    department: (department) => sql`app_user.department = ${department}`,
    kyc: latestIs,
    standing: (standing) => STANDS[standing],
  },
  search: { words: DIRECTORY_WORDS },
  sorts: { employee: [NAME, ID], department: [DEPARTMENT, NAME, ID] },
  segments: ({ standing }) => [{ order: standing === 'applicant' ? LONGEST_WAITING : BY_NAME }],
  rows: readEmployeeRows,
  present: presentEmployee,
  csv: [
    { header: 'Employee', cell: ({ name }) => textCell(name) },
    { header: 'Employee ID', cell: ({ employeeNumber }) => textCell(employeeNumber ?? '') },
    { header: 'Email', cell: ({ email }) => textCell(email) },
    { header: 'Department', cell: (row) => plainCell(DEPARTMENTS[row.department]) },
    { header: 'Position', cell: ({ position }) => textCell(position) },
    { header: 'Status', cell: (row) => plainCell(standingInList(row)) },
    { header: 'KYC Status', cell: ({ kycStatus }) => plainCell(kycStatus ?? '') },
    { header: 'Balance', cell: ({ balanceMinor }) => plainCell(decimalAmount(balanceMinor)) },
    { header: 'Available', cell: ({ availableMinor }) => plainCell(decimalAmount(availableMinor)) },
  ],
});

/** A rejected application is the latest one only as long as no other was begun. */
function latestIs(status: KycStatus): RawBuilder<boolean> {
  const hasOne = sql<boolean>`app_user.id IN (
    SELECT user_id FROM kyc_application WHERE status = ${status})`;
  if (status === 'in_progress') return sql<boolean>`${hasOne} AND ${HAS_PASSWORD}`;
  if (status !== 'rejected') return hasOne;
  return sql<boolean>`${hasOne} AND NOT EXISTS (
    SELECT FROM kyc_application AS current
     WHERE current.user_id = app_user.id AND current.status <> 'rejected')`;
}

function presentEmployee(row: EmployeeRow, { currency }: CompanySettings): Employee {
  const { id, name, email, role, employeeNumber, position, walletType, walletLast4 } = row;
  return {
    id,
    name,
    email,
    role,
    position,
    employeeId: employeeNumber,
    avatarUrl: avatarUrl(row.avatarId),
    department: row.department,
    standing: standingInList(row),
    balance: money(row.balanceMinor, currency),
    available: money(row.availableMinor, currency),
    account:
      walletType === null || walletLast4 === null
        ? null
        : { name: WALLET_LABELS[walletType], last4: walletLast4 },
    furtherAccounts: Math.max(0, row.openAccounts - 1),
    kycStatus: row.kycStatus,
  };
}
