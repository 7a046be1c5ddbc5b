/** Views of a list that an admin keeps under a name. Free of zod. */
import { readView } from './list.ts';
import type { ListShape } from './list.ts';
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
import { line } from './rules.ts';
import { keysOf } from './keys.ts';

/**
 * The lists whose views can be kept: those that a screen of the back office shows under its own address. A list
 * of something, such as the lines of one batch, is left out.
 */
const VIEWED = [
  employeeList,
  reviewQueueList,
  bankAccountList,
  payrollBatchList,
  fundableList,
  depositList,
  withdrawalList,
  billList,
  questionList,
  transactionList,
  auditList,
] as const;
type Viewed = (typeof VIEWED)[number];

/** These lists by the operation that lists. */
export const VIEWED_LISTS = Object.fromEntries(
  VIEWED.map((list) => [list.operations.rows, list]),
) as unknown as { readonly [List in Viewed as List['operations']['rows']]: List };
export type ViewedList = keyof typeof VIEWED_LISTS;
export const VIEWED_LIST_IDS = keysOf(VIEWED_LISTS);

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
  list: ListShape,
  given: Readonly<Record<string, unknown>>,
): { view: ViewWords; isWhole: boolean } {
  const view: ViewWords = readView(list, given);
  return { view, isWhole: Object.entries(given).every(([name, value]) => view[name] === value) };
}
