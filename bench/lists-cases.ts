import type { RouteInput } from '#contract/api.ts';
import type { RouteName } from '#contract/paths.ts';
import { ROUTES } from '#contract/routes/all.ts';
import type { RouteSpec } from '#contract/routes/define.ts';
import { z } from 'zod';
import type { ListCompany } from './lists-company.ts';

/** One request to measure. */
export interface Case {
  name: RouteName;
  what: string;
  /** What a caller sends: path parameters and query. */
  input: { params?: Record<string, string>; query?: Record<string, string | number> };
}

const ADMIN_PAGE = { pageSize: 15 };
/** A page of the middle that both companies have. */
const DEEP_PAGE = 60;

function asked<Name extends RouteName>(name: Name, what: string, input: RouteInput<Name>): Case {
  return { name, what, input: input as Case['input'] };
}

/** Rows, unfiltered or by an indexed filter: each is timed against itself in the small company. */
export function rowCases({ batchId }: Pick<ListCompany, 'batchId'>): Case[] {
  const withdrawals = (what: string, query: RouteInput<'adminListWithdrawals'>['query']) =>
    asked('adminListWithdrawals', what, { query: { ...ADMIN_PAGE, ...query } });
  const banks = (what: string, query: RouteInput<'adminListBankAccounts'>['query']) =>
    asked('adminListBankAccounts', what, { query: { ...ADMIN_PAGE, ...query } });
  const queue = (what: string, query: RouteInput<'listReviewQueue'>['query']) =>
    asked('listReviewQueue', what, { query: { ...ADMIN_PAGE, ...query } });
  const lines = (what: string, query: RouteInput<'listPayrollLines'>['query']) =>
    asked('listPayrollLines', what, {
      params: { id: batchId },
      query: { ...ADMIN_PAGE, ...query },
    });
  return [
    withdrawals('queue', {}),
    withdrawals(`queue, page ${DEEP_PAGE}`, { page: DEEP_PAGE }),
    withdrawals('pending', { status: 'pending' }),
    withdrawals('completed', { status: 'completed' }),
    withdrawals('high urgency', { urgency: 'high' }),
    withdrawals('newest', { sort: 'submitted' }),
    withdrawals('oldest', { sort: 'submitted', direction: 'asc' }),
    withdrawals('largest', { sort: 'amount' }),
    withdrawals('low urgency, newest', { urgency: 'low', sort: 'submitted' }),
    banks('waiting', {}),
    banks('all', { status: 'all' }),
    banks(`all, page ${DEEP_PAGE}`, { status: 'all', page: DEEP_PAGE }),
    banks('verified', { status: 'verified' }),
    banks('rejected', { status: 'rejected' }),
    queue('waiting', {}),
    queue('all', { status: 'all' }),
    queue(`all, page ${DEEP_PAGE}`, { status: 'all', page: DEEP_PAGE }),
    queue('approved', { status: 'approved' }),
    queue('wallet documents', { status: 'all', kind: 'documents' }),
    queue('newest', { status: 'all', sort: 'submitted' }),
    queue('by name', { status: 'all', sort: 'name', direction: 'asc' }),
    asked('adminListDeposits', 'pending', { query: ADMIN_PAGE }),
    asked('adminListDeposits', 'all', { query: { ...ADMIN_PAGE, status: 'all' } }),
    asked('listPayrollBatches', 'all', { query: ADMIN_PAGE }),
    asked('listPayrollBatches', 'completed', { query: { ...ADMIN_PAGE, status: 'completed' } }),
    lines('all', {}),
    lines('all, page 7', { page: 7 }),
    lines('processed', { status: 'processed' }),
    lines('failed', { status: 'failed' }),
    asked('listWithdrawals', 'own', { query: {} }),
    asked('listWallets', 'own', {}),
    asked('listBankAccounts', 'own', {}),
    asked('listNotifications', 'own', {}),
    asked('listMyOpenings', 'own', {}),
    asked('listSessions', 'own', {}),
    asked('getShell', 'an admin’s counts', {}),
  ];
}

/** Searches, totals and statistics: they load beside the rows and have a budget of their own. */
export function besideCases({ batchId }: Pick<ListCompany, 'batchId'>): Case[] {
  const searches = [
    'maya',
    'maya brook',
    'wood',
    'credit union',
    'repair',
    'nobody at all',
    'al',
    'a',
  ];
  return [
    ...searches.flatMap((search) => [
      asked('adminListWithdrawals', `search “${search}”`, { query: { ...ADMIN_PAGE, search } }),
      asked('adminCountWithdrawals', `search “${search}”`, { query: { search } }),
    ]),
    ...searches.slice(0, 4).flatMap((search) => [
      asked('adminListBankAccounts', `search “${search}”`, {
        query: { ...ADMIN_PAGE, status: 'all', search },
      }),
      asked('listReviewQueue', `search “${search}”`, { query: { status: 'all', search } }),
      asked('listPayrollLines', `search “${search}”`, {
        params: { id: batchId },
        query: { search },
      }),
    ]),
    asked('adminListWithdrawals', 'two filters', {
      query: { ...ADMIN_PAGE, status: 'completed', urgency: 'low' },
    }),
    asked('listReviewQueue', 'search “al”', { query: { status: 'all', search: 'al' } }),
    asked('countReviewQueue', 'search “al”', { query: { status: 'all', search: 'al' } }),
    asked('adminCountBankAccounts', 'search “al”', { query: { status: 'all', search: 'al' } }),
    asked('countPayrollLines', 'search “al”', { params: { id: batchId }, query: { search: 'al' } }),
    asked('listReviewQueue', 'a filter, by name', { query: { sort: 'name' } }),
    asked('adminCountWithdrawals', 'all', {}),
    asked('adminCountWithdrawals', 'completed', { query: { status: 'completed' } }),
    asked('adminCountBankAccounts', 'all', { query: { status: 'all' } }),
    asked('countReviewQueue', 'all', { query: { status: 'all' } }),
    asked('countPayrollBatches', 'all', {}),
    asked('countPayrollLines', 'all', { params: { id: batchId } }),
    asked('adminWithdrawalStats', 'tiles', {}),
    asked('getReviewCounts', 'tiles', {}),
    asked('getPayrollStats', 'tiles', {}),
    asked('getAdminDashboard', 'tiles', {}),
    asked('getEmployeeDashboard', 'own', {}),
    asked('adminListWithdrawals', 'page 10,000', { query: { ...ADMIN_PAGE, page: 10_000 } }),
  ];
}

/** Operations that list or count and that no case asks for: a new one has to be measured too. */
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
