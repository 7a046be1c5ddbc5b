import { payslipId } from '#contract/account-documents.ts';
import { PATHS } from '#contract/paths.ts';
import type { RouteName } from '#contract/api.ts';
import { ROUTES } from '#contract/routes/all.ts';
import type { RouteSpec } from '#contract/routes/define.ts';
import type { DB } from '#server/db/schema.ts';
import type { Db } from '#server/db/tx.ts';
import { asked } from './lists-cases.ts';
import type { Case } from './timing.ts';

/** Reads of a thing of the back office, and the table of the thing. */
export const OF_ONE = {
  adminGetBankAccount: 'bankAccount',
  adminGetApplication: 'kycApplication',
  adminGetVerification: 'kycProfile',
  adminGetReviewNeighbours: 'kycApplication',
  adminGetTransaction: 'ledgerTransaction',
  adminGetAuditEvent: 'auditEvent',
  adminGetDeposit: 'deposit',
  adminGetWithdrawal: 'withdrawal',
  adminGetPayrollBatch: 'payrollBatch',
  adminGetPayrollTotals: 'payrollBatch',
  adminGetPayrollDifferences: 'payrollBatch',
  adminGetLineTransfers: 'payrollLine',
  adminGetPayrollReversal: 'payrollLine',
  adminGetPayrollDraft: 'payrollDraft',
  adminGetDraftPeople: 'payrollDraft',
} as const satisfies Partial<Record<RouteName, keyof DB>>;

/** Reads about a person. */
const OF_PERSON = [
  'adminGetPerson',
  'adminGetEmployee',
  'adminGetUsualPay',
  'adminGetNextPay',
  'adminGetRecoveries',
  'adminGetFundingAccounts',
  'adminListAccountDocuments',
] as const satisfies readonly RouteName[];

/** Reads of a whole screen, with its own parameters. */
const OF_ALL = [
  'adminGetSettings',
  'adminGetSetup',
  'adminGetImport',
  'adminGetUsualPayImport',
  'adminGetBooks',
  'adminDepositStats',
  'adminGetPayouts',
  'adminGetReturns',
  'adminSumPayrollDays',
  'adminGetScheduledPayroll',
  'adminPaidTotals',
  'adminGetFundingStats',
  'adminListMonths',
  'adminGetCompanyBank',
  'adminGetBankPosition',
  'adminListBankLines',
] as const satisfies readonly RouteName[];

/** Reads of the back office that are not measured, and the reason. */
const LEFT_OUT: Partial<Record<RouteName, string>> = {
  adminGetQuestion: 'one question, by its id; its transaction is adminGetTransaction',
  adminGetBill:
    'few of the companies that are made have bills; the same statement as adminGetWithdrawal',
  adminGetPayoutFile: '--payouts makes the files',
  adminFindReturnedPayments: 'the company has no file of returns',
  adminFindBankItems: '--statements has the lines of a bank',
  adminGetCheckImage: 'an image',
  adminRehearsePayrollDraft: 'a file, as long as the payroll',
};

export interface OfficeThings {
  /** The newest row of each table that has one. */
  newest: ReadonlyMap<string, string>;
  personId: string;
  /** A payroll line of the person. */
  lineId: string;
  /** The current month: `2026-11`. */
  month: string;
}

/** Ids of what the back office opens: the newest of each table. */
export async function readOfficeThings(
  db: Db,
  person: Pick<OfficeThings, 'personId' | 'lineId'>,
): Promise<OfficeThings> {
  const newest = new Map<string, string>();
  for (const table of new Set(Object.values(OF_ONE))) {
    const row = await db
      .selectFrom(table)
      .select('id')
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirst();
    if (row !== undefined) newest.set(table, String(row.id));
  }
  return { newest, ...person, month: new Date().toISOString().slice(0, 7) };
}

/** Reads of the back office besides its lists. One whose thing does not exist is left out. */
export function officeCasesOf({ newest, personId, lineId, month }: OfficeThings): Case[] {
  const days = { from: `${month}-01`, to: `${month}-28` };
  const person = { params: { id: personId } };
  return [
    ...Object.entries(OF_ONE).flatMap(([name, table]) => {
      const id = newest.get(table);
      return id === undefined ? [] : [asked(name as RouteName, 'newest', { params: { id } })];
    }),
    ...OF_PERSON.map((name) => asked(name, 'of a person', person)),
    asked('adminGetAccountDocument', 'a payslip', {
      params: { id: personId, document: payslipId(lineId) },
    }),
    ...OF_ALL.map((name) => asked(name, 'first view', {})),
    asked('adminSumPayrollDays', 'days', { query: days }),
    asked('adminPaidTotals', 'days', { query: days }),
    asked('adminGetMonth', 'this month', { params: { month } }),
  ];
}

/** Reads of the back office without a case: a new one must be measured, too. */
export function unmeasured(cases: readonly Case[]): string[] {
  const known = new Set<string>([...cases.map(({ name }) => name), ...Object.keys(LEFT_OUT)]);
  return (Object.keys(PATHS) as RouteName[]).filter((name) => {
    const spec: RouteSpec = ROUTES[name];
    const isFile = typeof spec.reply === 'string';
    return PATHS[name][0] === 'GET' && spec.access === 'admin' && !isFile && !known.has(name);
  });
}
