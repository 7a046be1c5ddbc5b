import type { RouteArguments } from '#contract/api.ts';

/** Part of the payments that are ready, as it is searched and filtered. */
export type Part = Pick<RouteArguments<'adminGetPayouts'>['query'], 'search' | 'payees' | 'on'>;

export const ALL: Part = { search: '', payees: 'all', on: 'all' };
