import type { RouteArguments } from '#contract/api.ts';
import { day } from '#contract/list.ts';
import { SEARCH_MAX_LENGTH } from '#contract/limits.ts';
import { PAYEE_GROUPS } from '#contract/payouts.ts';

/** Part of the payments that are ready, as it is searched and filtered. */
export type Part = Pick<RouteArguments<'adminGetPayouts'>['query'], 'search' | 'payees' | 'on'>;

/** The part in an address, which may have been typed: what is no filter is left out. */
export function partOf({
  search = '',
  payees,
  on = 'all',
}: Partial<Record<keyof Part, string>>): Part {
  return {
    search: search.slice(0, SEARCH_MAX_LENGTH),
    payees: PAYEE_GROUPS.find((group) => group === payees) ?? 'all',
    on: on !== '' && day.isValue(on) ? on : 'all',
  };
}

/** The part as an address has it: what is not filtered is left out. */
export function addressOfPart({ search, payees, on }: Part) {
  return {
    search: search === '' ? undefined : search,
    payees: payees === 'all' ? undefined : payees,
    on: on === 'all' ? undefined : on,
  };
}
