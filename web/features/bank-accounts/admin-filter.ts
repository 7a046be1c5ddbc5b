import type { RouteArguments } from '#contract/api.ts';
import {
  BANK_ACCOUNT_STATUSES,
  type BankAccountStatus,
  type BankAccountType,
} from '#contract/bank-accounts.ts';
import { ADMIN_PAGE_SIZE } from '#contract/limits.ts';
import { readPage } from '#web/lib/address.ts';
import type { SelectOption } from '#web/ui/select.tsx';
import { statusTable } from '#web/ui/status-table.ts';

/** What the address of the admins' list may say; anything else means its default. */
export interface BankAccountSearch {
  search?: string;
  status?: string;
  page?: string;
}

export type BankAccountQuery = RouteArguments<'adminListBankAccounts'>['query'];

export const ACCOUNT_TYPE_LABELS: Record<BankAccountType, string> = {
  checking: 'Checking',
  savings: 'Savings',
};

/** What is listed when nothing is chosen: what waits for a decision. */
export const DEFAULT_STATUS: BankAccountQuery['status'] = 'pending';

export const STATUS_OPTIONS: readonly SelectOption<BankAccountStatus | 'all'>[] = [
  ...BANK_ACCOUNT_STATUSES.map((value) => ({ value, label: statusTable[value].label })),
  { value: 'all', label: 'All' },
];

export function readBankAccountQuery({
  search = '',
  status,
  page,
}: BankAccountSearch): BankAccountQuery {
  const known = STATUS_OPTIONS.find(({ value }) => value === status);
  return {
    search,
    status: known?.value ?? DEFAULT_STATUS,
    page: readPage(page),
    pageSize: ADMIN_PAGE_SIZE,
  };
}
