import type { RouteName, RouteReply } from '#contract/api.ts';
import { TRANSACTION_TYPE_LABELS } from '#contract/activity.ts';
import { DEPARTMENTS } from '#contract/company.ts';
import { FUNDING_TYPES } from '#contract/funding.ts';
import * as LISTS from '#contract/lists.ts';
import { decimalAmount } from '#contract/money.ts';
import type { Money } from '#contract/money.ts';
import { WALLET_LABELS } from '#contract/wallets.ts';

type List = (typeof LISTS)[keyof typeof LISTS];
type ExportedList = Extract<List, { operations: { export: string } }>;

/** Names of the operations that export a list. */
export type ListExport = ExportedList['operations']['export'];

type ListOf<Name, One = ExportedList> = One extends { operations: { export: Name } } ? One : never;
type RowsOf<One> = One extends { operations: { rows: infer Rows extends RouteName } }
  ? RouteReply<Rows>
  : never;
type RowOf<Name> = RowsOf<ListOf<Name>> extends { items: (infer Row)[] } ? Row : never;

/** Cells that a row of the list has in its export, by the names of their columns. */
export type ExpectedCells<Row> = Readonly<Record<string, (row: Row) => string>>;

/** Lists with an export, by the name of that operation. */
export const EXPORTED_LISTS = Object.fromEntries(
  Object.values(LISTS).flatMap((list) =>
    list.operations.export === null ? [] : [[list.operations.export, list]],
  ),
) as Readonly<Record<ListExport, ExportedList>>;

export const decimal = ({ minor }: Pick<Money, 'minor'>) => decimalAmount(BigInt(minor));
/** A moment of a reply as exports write it. */
export const utc = (at: string) => `${at.slice(0, 19).replace('T', ' ')}Z`;
const words = (code: string | null) => code?.replaceAll('_', ' ') ?? '';

interface OfPerson {
  employee: { name: string; employeeId: string | null };
}
const PERSON: ExpectedCells<OfPerson> = {
  Employee: ({ employee }) => employee.name,
  'Employee ID': ({ employee }) => employee.employeeId ?? '',
};

const IMPORT_OUTCOMES = {
  error: 'Not imported',
  duplicate: 'Left out',
  ready: 'Waiting',
  imported: 'Imported',
  failed: 'Not imported',
};

/** Cells of a row of each list in its export. A list that gets an export does not compile without its entry. */
export const EXPORT_COLUMNS: { readonly [Name in ListExport]: ExpectedCells<RowOf<Name>> } = {
  adminExportWithdrawals: {
    ...PERSON,
    Amount: ({ amount }) => decimal(amount),
    Urgency: ({ urgency }) => urgency,
    Bank: ({ bankName, bankLast4 }) => `${bankName} ••${bankLast4}`,
    Reason: ({ reason }) => reason,
    Status: ({ status }) => status,
    Reference: ({ reference }) => reference,
    Transaction: ({ transactionReference }) => transactionReference ?? '',
    'Requested (UTC)': ({ submittedAt }) => utc(submittedAt),
    'Rejection reason': ({ rejectionReason }) => rejectionReason ?? '',
    'Left the bank on': ({ leftBankOn }) => leftBankOn ?? '',
    'Bank reference': ({ bankReference }) => bankReference ?? '',
  },
  adminExportBankAccounts: {
    ...PERSON,
    Bank: ({ bankName }) => bankName,
    'Account holder': ({ accountHolderName }) => accountHolderName,
    'Routing number': ({ routingNumber }) => routingNumber,
    'Account ends in': ({ accountNumberLast4 }) => `••${accountNumberLast4}`,
    Status: ({ status }) => status,
    Reason: ({ rejectionReason }) => rejectionReason ?? '',
  },
  adminExportAudit: {
    Record: ({ id }) => id,
    'Time (UTC)': ({ at }) => utc(at),
    Role: ({ role }) => role,
    Who: ({ by }) => by?.name ?? '',
    Act: ({ action }) => action,
    Thing: ({ subjectType }) => subjectType,
    'Thing ID': ({ subjectId }) => subjectId ?? '',
    Reference: ({ subject }) => subject ?? '',
    Person: ({ person }) => person?.name ?? '',
    Details: ({ details }) => JSON.stringify(details),
    Address: ({ ipAddress }) => ipAddress ?? '',
  },
  adminExportPayrollBatches: {
    'Pay date': ({ day }) => day,
    Name: ({ name }) => name,
    Batch: ({ number }) => number,
    Description: ({ description }) => description,
    Wallet: ({ walletType }) => WALLET_LABELS[walletType],
    'Pay period': ({ payPeriod }) => payPeriod,
    Status: ({ status }) => status,
    Employees: ({ employees }) => String(employees),
    'Employees paid': ({ paidCount }) => String(paidCount),
    Total: ({ total }) => decimal(total),
    'Amount paid': ({ paidTotal, reversedTotal }) =>
      decimalAmount(BigInt(paidTotal.minor) - BigInt(reversedTotal.minor)),
    'Amount taken back': ({ reversedTotal }) => decimal(reversedTotal),
    'Sent by': ({ createdBy }) => createdBy,
    'Sent (UTC)': ({ createdAt }) => utc(createdAt),
    'Processed (UTC)': ({ processedAt }) => (processedAt === null ? '' : utc(processedAt)),
  },
  adminExportPayrollLines: {
    ...PERSON,
    Department: ({ employee }) => DEPARTMENTS[employee.department],
    Account: ({ walletLast4 }) => (walletLast4 === null ? '' : `••${walletLast4}`),
    Status: ({ status }) => status,
    Reason: ({ reason }) => words(reason),
    Amount: ({ amount }) => decimal(amount),
    'Amount taken back': ({ reversed }) => decimal(reversed),
    Reference: ({ reference }) => reference ?? '',
  },
  adminExportPaid: {
    ...PERSON,
    Department: ({ department }) => DEPARTMENTS[department],
    Payroll: ({ payroll }) => decimal(payroll),
    [FUNDING_TYPES.reimbursement.label]: ({ reimbursement }) => decimal(reimbursement),
    Total: ({ total }) => decimal(total),
  },
  adminExportDeposits: {
    ...PERSON,
    Method: ({ methodName }) => methodName,
    Account: ({ walletType }) => WALLET_LABELS[walletType],
    Amount: ({ amount }) => decimal(amount),
    Fee: ({ fee }) => decimal(fee),
    Description: ({ description }) => description,
    Status: ({ status }) => status,
    'Rejection reason': ({ rejectionReason }) => rejectionReason ?? '',
    Reference: ({ reference }) => reference,
    'Requested (UTC)': ({ submittedAt }) => utc(submittedAt),
  },
  adminExportEmployees: {
    Employee: ({ name }) => name,
    'Employee ID': ({ employeeId }) => employeeId ?? '',
    Email: ({ email }) => email,
    Department: ({ department }) => DEPARTMENTS[department],
    Position: ({ position }) => position,
    Status: ({ standing }) => standing,
    'KYC Status': ({ kycStatus }) => kycStatus ?? '',
    Balance: ({ balance }) => decimal(balance),
    Available: ({ available }) => decimal(available),
  },
  adminExportImportRows: {
    Row: ({ row }) => String(row),
    'Full Name': ({ fullName }) => fullName,
    Email: ({ email }) => email,
    Department: ({ department }) => department,
    Position: ({ position }) => position,
    Outcome: ({ status }) => IMPORT_OUTCOMES[status],
    Reason: ({ problems }) => problems.map(({ message }) => message).join('. '),
    'Employee ID': ({ person }) => person?.employeeId ?? '',
  },
  adminExportBills: {
    ...PERSON,
    Payee: ({ payee }) => payee.name,
    'Payee account': ({ payee }) => `••${payee.last4}`,
    'Customer number': ({ payee }) => payee.customerNumber,
    Amount: ({ amount }) => decimal(amount),
    'Pay on': ({ payOn }) => payOn,
    'Due on': ({ dueOn }) => dueOn ?? '',
    Memo: ({ memo }) => memo,
    Status: ({ status }) => status,
    Reason: ({ rejectionReason }) => rejectionReason ?? '',
    Reference: ({ reference }) => reference,
    Transaction: ({ transactionReference }) => transactionReference ?? '',
    'Requested (UTC)': ({ scheduledAt }) => utc(scheduledAt),
    'Left the bank on': ({ leftBankOn }) => leftBankOn ?? '',
    'Bank reference': ({ bankReference }) => bankReference ?? '',
  },
  exportHistory: {
    Type: ({ type }) => (type === 'funding' ? 'payroll' : type),
    Description: ({ description }) => description,
    Amount: ({ amount }) => decimal(amount),
    Status: ({ status }) => status,
    Reference: ({ reference }) => reference,
    Account: ({ account }) => account.name,
    'Pay period': ({ payPeriod }) => payPeriod ?? '',
    'Time (UTC)': ({ at }) => utc(at),
    'Balance after': ({ balanceAfter }) => (balanceAfter === null ? '' : decimal(balanceAfter)),
  },
  adminExportTransactions: {
    ...PERSON,
    Type: ({ type }) => TRANSACTION_TYPE_LABELS[type],
    Description: ({ description }) => description,
    Account: ({ account }) => account.name,
    Reference: ({ reference }) => reference,
    Status: ({ status }) => status,
    Amount: ({ amount }) => decimal(amount),
    'Transaction ID': ({ id }) => id,
    'Time (UTC)': ({ at }) => utc(at),
  },
};
