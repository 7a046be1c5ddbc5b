import { z } from 'zod';
import {
  chartRules,
  JOURNAL_ACCOUNTS,
  JOURNAL_FORMATS,
  MONTH_CHECKS,
  MONTH_STATUSES,
  MONTH_TASK_PLACES,
} from '../closing.ts';
import { namedEnum, namedObject } from '../schema-names.ts';
import { done, proposed } from './common.ts';
import { day, id, idParams, instant, money, reason, textOf } from './values.ts';
import { defineRoute } from './define.ts';

const month = z.string().regex(/^\d{4}-(?:0[1-9]|1[0-2])$/);
const monthParams = z.object({ month });
const hash = z.string().regex(/^[0-9a-f]{64}$/);
const status = namedEnum('MonthStatus', MONTH_STATUSES);
const account = namedEnum('JournalAccount', JOURNAL_ACCOUNTS);

const check = namedObject('MonthCheck', {
  check: namedEnum('MonthCheckName', MONTH_CHECKS),
  isDone: z.boolean(),
  /** "All statement lines are matched", or the task: "Match 2 statement lines". */
  title: z.string(),
  detail: z.string(),
  /** Figure at the end of its line: "86 of 86"; null where there is none. */
  figure: z.string().nullable(),
  /** Place where the task is done; null for what is done. */
  place: z
    .object({
      to: namedEnum('MonthTaskPlace', MONTH_TASK_PLACES),
      /** Number of the file, id of the batch, or the month; null for a whole screen. */
      id: z.string().nullable(),
      label: z.string(),
    })
    .nullable(),
});

const journalLine = namedObject('JournalLine', {
  account,
  /** Null on the other side. */
  debit: money.nullable(),
  credit: money.nullable(),
});

const journalEntry = namedObject('JournalEntry', {
  /** Kind of the postings, or of the matched statement lines: `payroll`, `bankFees`. */
  kind: z.string(),
  what: z.string(),
  /** "58 paid" */
  detail: z.string(),
  lines: z.array(journalLine),
});

const chartAccount = namedObject('ChartAccount', {
  account,
  /** Code and name in the company's chart; null before somebody mapped it. */
  code: z.string().nullable(),
  name: z.string().nullable(),
  /** True if the month's journal has it. */
  isUsed: z.boolean(),
});

const closing = namedObject('MonthClosing', {
  closedBy: z.string(),
  closedAt: instant,
  /** Entries of the ledger that were effective in it. */
  entries: z.number().int(),
  owed: money,
  /** Null where no statement was imported by then. */
  bank: z.object({ atBank: money, onItsWay: money }).nullable(),
  /** Newest sealed block when it was closed; null before the first. */
  root: z.object({ height: z.number().int(), root: z.string() }).nullable(),
  /** Reversals of its postings, which were posted after it was closed, by their month. */
  corrections: z.array(
    namedObject('MonthCorrections', { month, count: z.number().int(), total: money }),
  ),
  /** True of the last closed month, which alone can be opened again. */
  isLast: z.boolean(),
  /** Formats in which it was exported; they have the accounts of that time. */
  exported: z.array(z.enum(JOURNAL_FORMATS)),
});

const reopening = namedObject('MonthReopening', { id, ...proposed });

const changed = namedObject('MonthChange', {
  closedAt: instant,
  closedBy: z.string(),
  reopenedAt: instant,
  reopenedBy: z.string(),
  proposedBy: z.string(),
  reason: z.string(),
  /** Lines of the journal that are not as they were then. */
  lines: z.array(
    z.object({
      what: z.string(),
      account,
      /** Empty for people without one, and for the company's own money. */
      department: z.string(),
      debitBefore: money,
      creditBefore: money,
      debit: money,
      credit: money,
    }),
  ),
});

const shownMonth = namedObject('MonthWithJournal', {
  month,
  status,
  lastDay: day,
  /** Empty for a month that is closed, or not over. */
  checks: z.array(check),
  /** Bank of the company whose closing balance is compared; null where there is none. */
  bankName: z.string().nullable(),
  /** Null while it is not closed. */
  closing: closing.nullable(),
  /** Null where nobody proposes to open it again. */
  reopening: reopening.nullable(),
  /** Lines of the journal that changed since the month was closed before; null where it never was opened again. */
  changed: changed.nullable(),
  /** At its end: null for a month that is not over. */
  position: z.object({ owed: money, difference: money.nullable() }).nullable(),
  journal: z.object({
    entries: z.array(journalEntry),
    /** Sum of either side. */
    total: money,
  }),
  accounts: z.array(chartAccount),
  /** SHA-256 over what is closed. Closing carries it. */
  hash,
});

const TOPICS = [
  ...(['closing', 'company-bank', 'books', 'deposits', 'withdrawals'] as const),
  ...(['payments', 'payroll', 'payouts', 'wallets'] as const),
] as const;
const CHANGES = { changes: { admins: ['closing'] } } as const;

export const closingRoutes = {
  adminListMonths: defineRoute('GET /api/admin/closing', {
    summary: 'Months since the first posting, newest first, with what each needs to be closed',
    access: 'admin',
    topics: TOPICS,
    reply: z.object({
      months: z.array(
        namedObject('Month', {
          month,
          status,
          lastDay: day,
          /** Conditions that are met, of how many; null for a month that is closed or not next. */
          checked: z.object({ done: z.number().int(), all: z.number().int() }).nullable(),
          closed: z.object({ by: z.string(), at: instant }).nullable(),
        }),
      ),
    }),
  }),
  adminGetMonth: defineRoute('GET /api/admin/closing/{month}', {
    summary: 'A month: what it needs to be closed, its closing, and its journal',
    access: 'admin',
    topics: [...TOPICS, 'settings', 'people'],
    params: monthParams,
    reply: shownMonth,
    errors: ['month_not_found'],
  }),
  adminCloseMonth: defineRoute('POST /api/admin/closing/{month}/close', {
    summary: 'Close a month: nothing can be posted in it any longer',
    access: 'admin',
    confirms: 'recent',
    ...CHANGES,
    params: monthParams,
    body: z.object({
      hash,
      /** The closing balance was compared with the bank's statement. */
      isCompared: z.literal(true),
    }),
    reply: shownMonth,
    errors: ['month_not_found', 'month_wrong_status', 'month_blocked', 'conflict'],
  }),
  adminProposeReopening: defineRoute('POST /api/admin/closing/{month}/reopen', {
    summary: 'Propose to open the last closed month again; another admin accepts it',
    access: 'admin',
    confirms: 'recent',
    ...CHANGES,
    params: monthParams,
    body: z.object({ reason }),
    reply: shownMonth,
    errors: ['month_not_found', 'month_wrong_status'],
  }),
  adminAcceptReopening: defineRoute('POST /api/admin/closing/reopenings/{id}/accept', {
    summary: 'Open a closed month again, as another admin proposed',
    access: 'admin',
    confirms: 'recent',
    ...CHANGES,
    params: idParams,
    reply: shownMonth,
    errors: ['proposal_not_found', 'second_person_needed', 'month_wrong_status'],
  }),
  adminDiscardReopening: defineRoute('POST /api/admin/closing/reopenings/{id}/discard', {
    summary: 'Discard a proposal to open a closed month again',
    access: 'admin',
    ...CHANGES,
    params: idParams,
    reply: done,
    errors: ['proposal_not_found'],
  }),
  adminMapChartAccount: defineRoute('PUT /api/admin/closing/accounts/{account}', {
    summary: 'Map an account of the journal to one of the company’s chart',
    access: 'admin',
    ...CHANGES,
    params: z.object({ account: z.enum(JOURNAL_ACCOUNTS) }),
    body: z.object({ code: textOf(chartRules.code), name: textOf(chartRules.name) }),
    reply: done,
  }),
  adminExportJournal: defineRoute('GET /api/admin/closing/{month}/journal', {
    summary: 'The journal of a month as a CSV file for an accounting program',
    access: 'admin',
    confirms: 'recent',
    hourly: 'exports',
    topics: null,
    params: monthParams,
    query: z.object({ format: namedEnum('JournalFormat', JOURNAL_FORMATS) }),
    reply: 'csv',
    errors: ['month_not_found', 'chart_incomplete'],
  }),
};
