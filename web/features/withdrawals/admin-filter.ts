import type { RouteArguments } from '#contract/api.ts';
import { ADMIN_PAGE_SIZE } from '#contract/limits.ts';
import {
  URGENCIES,
  WITHDRAWAL_STATUSES,
  type Urgency,
  type WithdrawalStatus,
} from '#contract/withdrawals.ts';
import { readPage } from '#web/lib/address.ts';
import type { SelectOption } from '#web/ui/select.tsx';
import { statusTable } from '#web/ui/status-table.ts';
import type { Sort } from '#web/ui/table-head.tsx';
import { URGENCY_LABELS } from './urgency.ts';

/** What the address of the admins' list may say; anything else means its default. */
export interface WithdrawalSearch {
  search?: string;
  status?: string;
  urgency?: string;
  sort?: string;
  direction?: string;
  page?: string;
}

export type WithdrawalQuery = RouteArguments<'adminListWithdrawals'>['query'];

export const STATUS_OPTIONS: readonly SelectOption<WithdrawalStatus | 'all'>[] = [
  { value: 'all', label: 'All' },
  ...WITHDRAWAL_STATUSES.map((value) => ({ value, label: statusTable[value].label })),
];

export const URGENCY_OPTIONS: readonly SelectOption<Urgency | 'all'>[] = [
  { value: 'all', label: 'All' },
  ...URGENCIES.toReversed().map((value) => ({ value, label: URGENCY_LABELS[value] })),
];

/** Reads the address. Without a sort the list is a queue: what waits first, the urgent before the rest. */
export function readWithdrawalQuery(search: WithdrawalSearch): WithdrawalQuery {
  return {
    search: search.search ?? '',
    status: WITHDRAWAL_STATUSES.find((status) => status === search.status) ?? 'all',
    urgency: URGENCIES.find((urgency) => urgency === search.urgency) ?? 'all',
    sort: search.sort === 'submitted' || search.sort === 'amount' ? search.sort : 'queue',
    direction: search.direction === 'asc' ? 'asc' : 'desc',
    page: readPage(search.page),
    pageSize: ADMIN_PAGE_SIZE,
  };
}

/** The sorted column, if any, as the table draws it. */
export function tableSort({ sort, direction }: WithdrawalQuery): Sort | undefined {
  if (sort === 'queue') return undefined;
  return { column: sort, direction: direction === 'asc' ? 'ascending' : 'descending' };
}
