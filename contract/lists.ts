/** Every list that is paged, and nothing else: what it is filtered and sorted by. See list.ts. */
import { AUDIT_ROLES, AUDIT_THING_IDS } from './audit.ts';
import { TRANSACTION_CATEGORIES, TRANSACTION_STATUSES, TRANSACTION_TYPES } from './activity.ts';
import { DEPARTMENT_IDS } from './company.ts';
import { DEPOSIT_METHOD_IDS } from './deposits.ts';
import { LISTED_STATUSES, REVIEW_KINDS } from './kyc.ts';
import { ADMIN_PAGE_SIZE, MAX_PAGE_SIZE, PAGE_SIZE } from './limits.ts';
import { amount, choice, day, defineList, id, text } from './list.ts';
import { QUESTION_STATUSES } from './questions.ts';
import {
  KYC_STATUSES,
  BANK_ACCOUNT_STATUSES,
  BILL_STATUSES,
  DEPOSIT_STATUSES,
  EMPLOYEE_STANDINGS,
  IMPORT_ROW_STATUSES,
  PAYROLL_LINE_STATUSES,
  PAYROLL_STATUSES,
  URGENCIES,
  WITHDRAWAL_STATUSES,
} from './statuses.ts';
import { WALLET_TYPES } from './wallets.ts';

/** Page sizes for admins where several rows are decided together. */
const ADMIN_PAGE_SIZES = [ADMIN_PAGE_SIZE, 50, MAX_PAGE_SIZE] as const;

/** Withdrawals of all employees; `person`: of one. `queue`: pending first, by urgency, then oldest; the rest newest first. */
export const withdrawalList = defineList({
  operations: {
    rows: 'adminListWithdrawals',
    count: 'adminCountWithdrawals',
    export: 'adminExportWithdrawals',
  },
  filters: {
    search: text,
    person: id,
    status: choice(['all', ...WITHDRAWAL_STATUSES]),
    urgency: choice(['all', ...URGENCIES.toReversed()]),
  },
  sort: { natural: 'queue', columns: ['submitted', 'amount'] },
  pageSize: ADMIN_PAGE_SIZE,
  pageSizes: ADMIN_PAGE_SIZES,
});

/** Bank accounts of all employees, or of one `person`: what waits, oldest first; the rest newest first. */
export const bankAccountList = defineList({
  operations: {
    rows: 'adminListBankAccounts',
    count: 'adminCountBankAccounts',
    export: 'adminExportBankAccounts',
  },
  filters: { search: text, person: id, status: choice([...BANK_ACCOUNT_STATUSES, 'all']) },
  pageSize: ADMIN_PAGE_SIZE,
  pageSizes: ADMIN_PAGE_SIZES,
});

/** Questions about transactions: what waits, oldest first; the answered ones newest first. */
export const questionList = defineList({
  operations: { rows: 'adminListQuestions', count: 'adminCountQuestions' },
  filters: { search: text, person: id, status: choice([...QUESTION_STATUSES, 'all']) },
  pageSize: ADMIN_PAGE_SIZE,
  pageSizes: ADMIN_PAGE_SIZES,
});

/**
 * Applications and wallet documents. `queue`: what waits, oldest first; the rest newest first.
 * `waiting` is submitted or in review. `in_progress` is in none of the other filters, `all` included.
 */
export const reviewQueueList = defineList({
  operations: { rows: 'adminListReviewQueue', count: 'adminCountReviewQueue' },
  filters: {
    search: text,
    status: choice(['waiting', 'all', ...LISTED_STATUSES]),
    kind: choice(['all', ...REVIEW_KINDS]),
  },
  sort: { natural: 'queue', columns: ['submitted', 'name'] },
  pageSize: ADMIN_PAGE_SIZE,
});

/** Everyone whom an admin can fund, by name. */
export const fundableList = defineList({
  operations: { rows: 'adminListFundable', count: 'adminCountFundable' },
  filters: { search: text, department: choice(['all', ...DEPARTMENT_IDS]) },
  sort: { natural: 'directory', columns: ['employee', 'department'] },
  pageSize: ADMIN_PAGE_SIZE,
});

/** Every act that was recorded, newest first. `by`, `person` and `subject`: of one person, about one thing. */
export const auditList = defineList({
  operations: { rows: 'adminListAudit', export: 'adminExportAudit' },
  filters: {
    search: text,
    role: choice(['all', ...AUDIT_ROLES]),
    thing: choice(['all', ...AUDIT_THING_IDS]),
    by: id,
    person: id,
    subject: id,
    from: day,
    to: day,
  },
  paging: 'cursor',
  pageSize: ADMIN_PAGE_SIZE,
});

/** Payroll batches, newest first. */
export const payrollBatchList = defineList({
  operations: {
    rows: 'adminListPayrollBatches',
    count: 'adminCountPayrollBatches',
    export: 'adminExportPayrollBatches',
  },
  filters: {
    search: text,
    status: choice(['all', ...PAYROLL_STATUSES]),
    department: choice(['all', ...DEPARTMENT_IDS]),
  },
  pageSize: ADMIN_PAGE_SIZE,
});

/** Payrolls that are being prepared, the one changed last first. */
export const payrollDraftList = defineList({
  operations: { rows: 'adminListPayrollDrafts', count: 'adminCountPayrollDrafts' },
  filters: {},
  pageSize: ADMIN_PAGE_SIZE,
});

/** The lines of one payroll batch: those to be paid, then those skipped, each by name. */
export const payrollLineList = defineList({
  operations: {
    rows: 'adminListPayrollLines',
    count: 'adminCountPayrollLines',
    export: 'adminExportPayrollLines',
  },
  filters: { search: text, status: choice(['all', ...PAYROLL_LINE_STATUSES]) },
  pageSize: ADMIN_PAGE_SIZE,
});

/** Everyone whom payrolls or individual fundings paid within some days, by name. */
export const paidList = defineList({
  operations: { rows: 'adminListPaid', count: 'adminCountPaid', export: 'adminExportPaid' },
  filters: {
    search: text,
    department: choice(['all', ...DEPARTMENT_IDS]),
    from: day,
    to: day,
  },
  pageSize: ADMIN_PAGE_SIZE,
});

/** Deposit requests of all employees; `person`: of one. `queue`: pending first, oldest first; the rest newest first. */
export const depositList = defineList({
  operations: {
    rows: 'adminListDeposits',
    count: 'adminCountDeposits',
    export: 'adminExportDeposits',
  },
  filters: {
    search: text,
    person: id,
    status: choice([...DEPOSIT_STATUSES, 'all']),
    method: choice(['all', ...DEPOSIT_METHOD_IDS]),
  },
  sort: { natural: 'queue', columns: ['submitted', 'amount'] },
  pageSize: ADMIN_PAGE_SIZE,
  pageSizes: ADMIN_PAGE_SIZES,
});

/**
 * The directory: everyone who is an employee or wants to be one, by name. Applicants alone: oldest
 * first, because they wait. `frozen`: those whose payouts are.
 */
export const employeeList = defineList({
  operations: {
    rows: 'adminListEmployees',
    count: 'adminCountEmployees',
    export: 'adminExportEmployees',
  },
  filters: {
    search: text,
    department: choice(['all', ...DEPARTMENT_IDS]),
    kyc: choice(['all', ...KYC_STATUSES]),
    standing: choice(['all', ...EMPLOYEE_STANDINGS, 'frozen', 'usual_pay']),
  },
  sort: { natural: 'directory', columns: ['employee', 'department'] },
  pageSize: ADMIN_PAGE_SIZE,
  pageSizes: ADMIN_PAGE_SIZES,
});

/**
 * The rows of an import's file: those that are not imported first, with the reason, then the others.
 * `left-out` is all that are not imported.
 */
export const importRowList = defineList({
  operations: {
    rows: 'adminListImportRows',
    count: 'adminCountImportRows',
    export: 'adminExportImportRows',
  },
  filters: { status: choice(['all', 'left-out', ...IMPORT_ROW_STATUSES]) },
  pageSize: ADMIN_PAGE_SIZE,
});

/** People who signed up and were not accepted yet, oldest first. */
export const applicantList = defineList({
  operations: { rows: 'adminListApplicants', count: 'adminCountApplicants' },
  filters: { search: text },
  pageSize: ADMIN_PAGE_SIZE,
});

/** Mails, live events and payroll starts that failed, newest first. */
export const failedDeliveryList = defineList({
  operations: { rows: 'adminListFailedDeliveries', count: 'adminCountFailedDeliveries' },
  filters: {},
  pageSize: PAGE_SIZE,
});

/** A person's own deposits, newest first. */
export const ownDepositList = defineList({
  operations: { rows: 'listDeposits' },
  filters: { status: choice(['all', ...DEPOSIT_STATUSES]) },
  pageSize: PAGE_SIZE,
});

/** A person's own withdrawals, newest first. */
export const ownWithdrawalList = defineList({
  operations: { rows: 'listWithdrawals' },
  filters: {},
  pageSize: PAGE_SIZE,
});

/** A person's own notifications, newest first, without those that they deleted. */
export const notificationList = defineList({
  operations: { rows: 'listNotifications', count: 'countNotifications' },
  filters: {},
  pageSize: PAGE_SIZE,
});

/** Accesses of admins to a person's own application, documents or account numbers, newest first. */
export const accessLogList = defineList({
  operations: { rows: 'listMyAccessLog' },
  filters: {},
  pageSize: PAGE_SIZE,
});

/**
 * Bills of all employees. `waiting`: those that are due or sent, the longest waiting first; the rest newest first.
 */
export const billList = defineList({
  operations: { rows: 'adminListBills', count: 'adminCountBills', export: 'adminExportBills' },
  filters: { search: text, status: choice(['waiting', 'all', ...BILL_STATUSES]) },
  pageSize: ADMIN_PAGE_SIZE,
});

/** Postings with a receipt: all to a person's own accounts but payroll, newest first. */
export const receiptList = defineList({
  operations: { rows: 'listReceipts', count: 'countReceipts' },
  filters: { from: day, to: day },
  pageSize: PAGE_SIZE,
});

/** Events of a person's own money, newest first: postings, and requests that are not posted. */
export const historyList = defineList({
  operations: { rows: 'listHistory', count: 'countHistory', export: 'exportHistory' },
  filters: {
    search: text,
    account: choice(['all', ...WALLET_TYPES]),
    type: choice(['all', ...TRANSACTION_CATEGORIES]),
    status: choice(['all', ...TRANSACTION_STATUSES]),
    from: day,
    to: day,
  },
  pageSize: PAGE_SIZE,
});

/**
 * Events of everyone's money, newest first: postings, and requests that are not posted.
 * The search finds people, and references as a whole. `person`: theirs alone, from their side. `least`
 * and `most`: the amount without its sign.
 */
export const transactionList = defineList({
  operations: { rows: 'adminListTransactions', export: 'adminExportTransactions' },
  filters: {
    search: text,
    person: id,
    type: choice(['all', ...TRANSACTION_TYPES]),
    status: choice(['all', ...TRANSACTION_STATUSES]),
    from: day,
    to: day,
    least: amount,
    most: amount,
  },
  paging: 'cursor',
  pageSize: ADMIN_PAGE_SIZE,
});
