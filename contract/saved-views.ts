/** Views of a list that an admin keeps under a name. Free of zod. */
import { readView } from './list.ts';
import type { ListDeclaration } from './list.ts';
import {
  auditList,
  bankAccountList,
  billList,
  questionList,
  depositList,
  employeeList,
  fundableList,
  payrollBatchList,
  reviewQueueList,
  transactionList,
  withdrawalList,
} from './lists.ts';
import type { RouteName } from './paths.ts';
import { line } from './rules.ts';

/**
 * The lists whose views can be kept, by the operation that lists: those that a screen of the back office
 * shows under its own address. A list of something, such as the lines of one batch, is left out.
 */
export const VIEWED_LISTS = {
  adminListEmployees: employeeList,
  adminListReviewQueue: reviewQueueList,
  adminListBankAccounts: bankAccountList,
  adminListPayrollBatches: payrollBatchList,
  adminListFundable: fundableList,
  adminListDeposits: depositList,
  adminListWithdrawals: withdrawalList,
  adminListBills: billList,
  adminListQuestions: questionList,
  adminListTransactions: transactionList,
  adminListAudit: auditList,
} as const satisfies Partial<Record<RouteName, ListDeclaration>>;
export type ViewedList = keyof typeof VIEWED_LISTS;
export const VIEWED_LIST_IDS = Object.keys(VIEWED_LISTS) as [ViewedList, ...ViewedList[]];

export function isViewedList(list: string): list is ViewedList {
  return Object.hasOwn(VIEWED_LISTS, list);
}

/** Greatest length of a name that the menu of views shows whole. */
const VIEW_NAME_MAX_LENGTH = 60;

/** The rules of what is typed. */
export const savedViewRules = {
  name: line(VIEW_NAME_MAX_LENGTH, 'Please enter a name'),
};

/** The words of a list with their values: its filters, and its order where there is a choice. */
export type ViewWords = Record<string, string>;

/**
 * Reads a kept view by the list's declaration of today. What is missing or no longer valid becomes its
 * default; then `isWhole` is false for what was given and is not valid.
 */
export function readSavedView(
  list: ListDeclaration,
  given: Readonly<Record<string, unknown>>,
): { view: ViewWords; isWhole: boolean } {
  const view: ViewWords = readView(list, given);
  return { view, isWhole: Object.entries(given).every(([name, value]) => view[name] === value) };
}
