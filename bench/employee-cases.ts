import { TRANSACTION_CATEGORIES } from '#contract/activity.ts';
import { payslipId, receiptId, statementId } from '#contract/account-documents.ts';
import { PAGE_SIZE } from '#contract/limits.ts';
import { TRANSACTION_STATUSES } from '#contract/activity.ts';
import { DEPOSIT_STATUSES } from '#contract/statuses.ts';
import { PATHS } from '#contract/paths.ts';
import type { RouteName } from '#contract/api.ts';
import { ROUTES } from '#contract/routes/all.ts';
import type { RouteSpec } from '#contract/routes/define.ts';
import type { BenchEmployee } from './employee-people.ts';
import { asked } from './lists-cases.ts';
import type { Case } from './timing.ts';

type Things = Omit<BenchEmployee, 'cookie'>;

/**
 * Reads of an employee's screens that do not depend on the size of their history, and the reason.
 */
const LEFT_OUT: Partial<Record<RouteName, string>> = {
  getSession: 'the account of the person alone',
  getSessionEnd: 'one session of the person',
  getMySecurity: 'the account of the person alone',
  getOpenDocuments: 'the account of the person alone',
  getEmailPreferences: 'the account of the person alone',
  getCalendarFeed: 'an address; what it shows is the paydays',
  lookUpRoutingNumber: 'a table of banks',
  getMyApplication: 'identity',
  getMyVerification: 'identity',
  getRecoveries: 'few of the person, in most companies none',
  getQuestion: 'one question, by its id; its transaction is getHistoryEvent',
  getDocument: 'an image',
  getCheckImage: 'an image',
  getAvatar: 'an image',
  exportHistory: 'a file, as long as the history',
  downloadAccountDocument: 'a file; what it is made of is getAccountDocument',
  downloadDocumentArchive: 'a file, as long as the year',
};

/** All reads of an employee's screens, with the screens' own parameters; the same for everybody. */
export function screenCasesOf(things: Things): Case[] {
  const { entries, year, month, eventId, paidOutId, lineId, withdrawalId, depositId } = things;
  const days = { from: `${month}-01`, to: `${month}-28` };
  const ofYear = { from: `${year}-01-01`, to: `${year}-12-31` };
  const lastPage = Math.ceil(entries / PAGE_SIZE);
  const document = <Id extends string>(id: Id) => ({ params: { id } });
  return [
    asked('getShell', 'own', {}),
    asked('getBooksPage', 'everyone', {}),
    asked('listWallets', 'own', {}),
    asked('getEmployeeDashboard', 'own', {}),
    asked('getAutomaticTransfers', 'own', {}),
    asked('listHistory', 'first page', {}),
    asked('listHistory', 'second page', { query: { page: 2 } }),
    asked('listHistory', 'last page', { query: { page: lastPage } }),
    asked('listHistory', 'an account', { query: { account: 'salary' } }),
    asked('listHistory', 'last page of an account', {
      query: { account: 'salary', page: lastPage },
    }),
    ...TRANSACTION_STATUSES.map((status) => asked('listHistory', status, { query: { status } })),
    asked('listHistory', 'days', { query: days }),
    asked('countHistory', 'all', {}),
    asked('countHistory', 'an account', { query: { account: 'salary' } }),
    asked('countHistory', 'completed', { query: { status: 'completed' } }),
    asked('countHistory', 'days', { query: days }),
    asked('getHistoryTotals', 'tiles', {}),
    asked('getAccountSpan', 'all', { query: { account: 'salary' } }),
    asked('getAccountSpan', 'days', { query: { account: 'salary', ...days } }),
    asked('getHistoryEvent', 'newest', document(eventId)),
    asked('listQuestions', 'newest', document(eventId)),
    asked('proveEvent', 'newest', document(eventId)),
    asked('proveBalance', 'newest', { query: { account: 'salary' } }),
    asked('proveBalance', 'a page before', {
      query: { account: 'salary', number: String(Math.floor(entries / 2)) },
    }),
    asked('proveTotal', 'own', {}),
    asked('getSealedBlocks', 'all', { query: { after: '0' } }),
    asked('getLedgerRoots', 'all', {}),
    asked('listAccountDocuments', 'this year', {}),
    asked('getAccountDocument', 'payslip', document(payslipId(lineId))),
    asked('getAccountDocument', 'statement', document(statementId('salary', month))),
    asked('getAccountDocument', 'receipt', document(receiptId(paidOutId))),
    asked('listReceipts', 'this year', { query: ofYear }),
    asked('countReceipts', 'this year', { query: ofYear }),
    asked('listWithdrawals', 'newest', {}),
    asked('getWithdrawal', 'one', document(withdrawalId)),
    asked('listDeposits', 'newest', {}),
    ...DEPOSIT_STATUSES.map((status) => asked('listDeposits', status, { query: { status } })),
    asked('getDepositOptions', 'own', {}),
    asked('getDeposit', 'one', document(depositId)),
    asked('listPayees', 'own', {}),
    asked('listScheduledBills', 'own', {}),
    asked('listStandingBills', 'own', {}),
    asked('listBankAccounts', 'own', {}),
    asked('listNotifications', 'newest', {}),
    asked('countNotifications', 'own', { query: {} }),
    asked('listMyAccessLog', 'newest', {}),
    asked('listSessions', 'own', {}),
    asked('listMyNameCorrections', 'own', {}),
  ];
}

/**
 * Views that read past the rows they leave out: they have the budget of searches
 * (docs/decisions/006).
 */
export function besideCasesOf({ entries, year }: Things): Case[] {
  const formerYear = { from: `${year - 2}-01-01`, to: `${year - 2}-12-31` };
  return [
    ...TRANSACTION_CATEGORIES.flatMap((type) => [
      asked('listHistory', `type ${type}`, { query: { type } }),
      asked('countHistory', `type ${type}`, { query: { type } }),
    ]),
    ...['deposit', '10.00', 'nothing at all'].flatMap((search) => [
      asked('listHistory', `search “${search}”`, { query: { search } }),
      asked('countHistory', `search “${search}”`, { query: { search } }),
    ]),
    asked('listHistory', 'a page in the middle', {
      query: { page: Math.ceil(entries / PAGE_SIZE / 2) },
    }),
    // As many payslips as paydays: the other person was not paid every week.
    asked('listAccountDocuments', 'a year of weekly payslips', { query: { year: year - 1 } }),
    asked('countReceipts', 'a busy year', { query: formerYear }),
    asked('listReceipts', 'a page of a busy year', { query: { ...formerYear, page: 400 } }),
    asked('getAccountSpan', 'a busy year', { query: { account: 'salary', ...formerYear } }),
  ];
}

/** Reads of an employee's screens without a case: a new one must be measured, too. */
export function unmeasured(cases: readonly Case[]): string[] {
  const known = new Set<string>([...cases.map(({ name }) => name), ...Object.keys(LEFT_OUT)]);
  return (Object.keys(PATHS) as RouteName[]).filter((name) => {
    const spec: RouteSpec = ROUTES[name];
    return PATHS[name][0] === 'GET' && spec.access !== 'admin' && !known.has(name);
  });
}
