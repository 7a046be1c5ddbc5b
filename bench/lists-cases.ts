import type { RouteInput, RouteName, ListDeclaration } from '#contract/api.ts';
import { KYC_STATUSES } from '#contract/kyc.ts';
import { firstView } from '#contract/list.ts';
import * as LISTS from '#contract/lists.ts';
import { ROUTES } from '#contract/routes/all.ts';
import type { RouteSpec } from '#contract/routes/define.ts';
import { z } from 'zod';
import type { ListCompany } from './lists-company.ts';
import type { Case } from './timing.ts';

type Query = Record<string, string | number>;
type Things = Pick<ListCompany, 'batchId' | 'importId' | 'webhookId' | 'personId'>;

const ADMIN_PAGE = { pageSize: 15 };
/** A page in the middle that both companies have; some lists of the small one are short. */
const DEEP_PAGE = 60;
const DEEP_PAGES: Partial<Record<RouteName, number>> = {
  adminListPayrollBatches: 2,
  adminListPayrollLines: 7,
};
/** The deepest page there is. */
const LAST_PAGE = 10_000;

const SEARCHES = [
  'maya',
  'maya brook',
  'wood',
  'credit union',
  'repair',
  'nobody at all',
  'al',
  'a',
];
/** Additional searches to count: one finds many people, one finds few. */
const COUNTED_SEARCHES = ['al', 'maya brook'];

/**
 * Views without an index of their own, which have the budget of searches: they read past the rows
 * they leave out.
 */
const READ_PAST: Partial<Record<RouteName, readonly Query[]>> = {
  adminListWithdrawals: [{ status: 'completed', urgency: 'low' }],
  adminListReviewQueue: [{ sort: 'name' }],
  // The directory is in the order of names; the status of an identity, and the people without a
  // password, are in other tables.
  adminListEmployees: [
    ...KYC_STATUSES.map((kyc) => ({ kyc })),
    { standing: 'active' },
    { standing: 'invited' },
  ],
  // No line has been reversed alone yet; no counter and no index has it.
  adminListPayrollLines: [{ status: 'reversed' }],
};

export function asked<Name extends RouteName>(
  name: Name,
  what: string,
  input: RouteInput<Name>,
): Case {
  return { name, what, input: input as Case['input'] };
}

/**
 * Rows, unfiltered or by an indexed filter: each is compared with the same request in the small
 * company.
 */
export function rowCases(things: Things): Case[] {
  return [
    ...Object.values(LISTS).flatMap((list) =>
      viewsOf(list).map((query) => caseOf(list, query, things)),
    ),
    asked('listWallets', 'own', {}),
    asked('listBankAccounts', 'own', {}),
    asked('listSessions', 'own', {}),
    asked('listMyNameCorrections', 'own', {}),
    asked('adminListSessions', 'of a person', { params: { id: things.personId } }),
    asked('adminListAdmins', 'all', {}),
    asked('adminListInvites', 'newest', {}),
    asked('adminListApiKeys', 'newest', {}),
    asked('adminListSavedViews', 'newest', {}),
    asked('adminListWebhooks', 'newest', {}),
    asked('adminListWebhookDeliveries', 'newest', { params: { id: things.webhookId } }),
    asked('adminListWaiting', 'counts', {}),
    asked('adminListRisks', 'all', {}),
    asked('listPayees', 'own', {}),
    asked('listScheduledBills', 'own', {}),
    asked('listStandingBills', 'own', {}),
    asked('getShell', 'an admin’s counts', {}),
  ];
}

/** The first view, each filter's other values, each sort both ways, and a page deep in all rows. */
function viewsOf(list: ListDeclaration): Query[] {
  const filters = choicesOf(list).flatMap(([name, [, ...values]]) =>
    values.map((value) => ({ [name]: value })),
  );
  const widest = widestOf(list);
  const sorts = (list.sort?.columns ?? []).flatMap((sort) =>
    ['asc', 'desc'].map((direction) => ({ ...widest, sort, direction })),
  );
  const isPaged = list.paging === 'pages';
  const deep =
    isPaged && list.operations.count !== null
      ? [{ ...widest, page: DEEP_PAGES[list.operations.rows] ?? DEEP_PAGE }]
      : [];
  return [{}, ...filters, ...sorts, ...deep].filter((query) => !isReadPast(list, query));
}

/** The view without filters. */
function widestOf(list: ListDeclaration): Record<string, string> {
  const names = choicesOf(list).filter(
    ([, [first, ...others]]) => first !== 'all' && others.includes('all'),
  );
  return Object.fromEntries(names.map(([name]) => [name, 'all']));
}

function choicesOf({ filters }: ListDeclaration): [string, readonly string[]][] {
  return Object.entries(filters).flatMap(([name, filter]) =>
    filter.kind === 'choice' ? [[name, filter.values] as [string, readonly string[]]] : [],
  );
}

function isReadPast({ operations }: ListDeclaration, query: Query): boolean {
  const text = JSON.stringify(query);
  return (READ_PAST[operations.rows] ?? []).some((past) => JSON.stringify(past) === text);
}

function caseOf(list: ListDeclaration, query: Query, things: Things): Case {
  const { rows } = list.operations;
  const params = paramsOf(rows, things);
  return {
    name: rows,
    what: wordsOf(list, query),
    input: { ...params, query: { ...ADMIN_PAGE, ...query } },
  };
}

/** A list with a parent is that of the import, or of the batch in the middle of the history. */
function paramsOf(name: RouteName, { batchId, importId }: Things): { params?: { id: string } } {
  const spec: RouteSpec = ROUTES[name];
  if (spec.params === undefined) return {};
  return { params: { id: name.endsWith('ImportRows') ? importId : batchId } };
}

/** "status completed, page 60"; "first view" without parameters. */
function wordsOf(list: ListDeclaration, query: Query): string {
  const first: Record<string, unknown> = { ...firstView(list) };
  const words = Object.entries(query)
    .filter(([name, value]) => first[name] !== value)
    .map(([name, value]) => (name === 'search' ? `search “${value}”` : `${name} ${value}`));
  return words.length === 0 ? 'first view' : words.join(', ');
}

/**
 * Searches, totals and statistics: they load separately from the rows and have a budget of their
 * own.
 */
export function besideCases(things: Things): Case[] {
  return [
    ...Object.values(LISTS).flatMap((list) => [
      ...searchesOf(list).map((query) => caseOf(list, query, things)),
      ...(READ_PAST[list.operations.rows] ?? []).map((query) => caseOf(list, query, things)),
      ...countsOf(list, things),
    ]),
    asked('adminWithdrawalStats', 'tiles', {}),
    asked('adminGetReviewCounts', 'tiles', {}),
    asked('adminGetPayrollStats', 'tiles', {}),
    asked('adminGetDashboard', 'tiles', {}),
    asked('adminGetOwed', 'tiles', {}),
    asked('adminTransactionStats', 'of everything', {}),
    asked('adminTransactionStats', 'of what failed', { query: { status: 'failed' } }),
    asked('adminTransactionStats', 'of a rare amount', { query: { least: '100000000' } }),
    asked('adminListTransactions', 'of a rare amount', { query: { least: '100000000' } }),
    asked('getEmployeeDashboard', 'own', {}),
    asked('adminListWithdrawals', 'page 10,000', { query: { ...ADMIN_PAGE, page: LAST_PAGE } }),
  ];
}

function searchesOf(list: ListDeclaration): Query[] {
  if (list.filters['search'] === undefined) return [];
  return SEARCHES.map((search) => ({ ...widestOf(list), search }));
}

function countsOf(list: ListDeclaration, things: Things): Case[] {
  const { count } = list.operations;
  if (count === null) return [];
  const widest = widestOf(list);
  const searches = COUNTED_SEARCHES.map((search) => ({ ...widest, search }));
  const statuses = choicesOf(list)
    .filter(([name]) => name === 'status')
    .flatMap(([, values]) => values.filter((status) => status !== 'all').slice(-1))
    .map((status) => ({ status }));
  return [widest, ...statuses, ...searches].map((query: Query) => ({
    name: count,
    what: wordsOf(list, query),
    input: { ...paramsOf(count, things), query },
  }));
}

/** Operations that list or count and have no case: a new one must be measured, too. */
export function unmeasured(cases: readonly Case[]): string[] {
  const measured = new Set<string>(cases.map(({ name }) => name));
  return Object.entries(ROUTES)
    .filter(([name, spec]) => !measured.has(name) && isListOrCount(spec))
    .map(([name]) => name);
}

function isListOrCount({ reply }: RouteSpec): boolean {
  if (!(reply instanceof z.ZodObject)) return false;
  return 'items' in reply.shape || Object.keys(reply.shape).join() === 'total';
}
