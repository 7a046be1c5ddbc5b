import { z } from 'zod';
import {
  BANK_DIRECTIONS,
  BANK_ITEM_KINDS,
  companyBankRules,
  MOST_LINE_ITEMS,
  OWN_KINDS,
  STATEMENT_FORMATS,
} from '../company-bank.ts';
import { IMPORT_MAX_COLUMNS } from '../employee-import.ts';
import { SEARCH_MAX_LENGTH } from '../limits.ts';
import { namedEnum, namedObject } from '../schema-names.ts';
import { DAY_ORDERS, STATEMENT_FILE_FIELDS } from '../statement-file.ts';
import { done, fileProblem, MONEY_TOPICS } from './common.ts';
import { accountNumbers, amount, day, id, idParams, money, page, textOf } from './values.ts';
import { defineRoute } from './define.ts';
import {
  account,
  statement,
  itemId,
  candidate,
  bankLine,
  rule,
  sums,
  position,
} from './bank-shapes.ts';

const column = z.coerce
  .number()
  .int()
  .min(0)
  .max(IMPORT_MAX_COLUMNS - 1);
const notation = namedEnum('AmountNotation', ['dot', 'comma']);

/** Choices for a CSV file; without any they are found, or as somebody made them before. */
const reading = {
  bookingDay: column.optional(),
  valueDay: column.optional(),
  text: column.optional(),
  counterparty: column.optional(),
  bankReference: column.optional(),
  endToEndReference: column.optional(),
  amount: column.optional(),
  /** Column with the words debit and credit, where amounts have no sign. */
  direction: column.optional(),
  moneyIn: column.optional(),
  moneyOut: column.optional(),
  balance: column.optional(),
  /** Column with the bank’s words for lines that are booked, pending or failed. */
  status: column.optional(),
  dayOrder: namedEnum('DayOrder', DAY_ORDERS).optional(),
  notation: notation.optional(),
  /** Closing balance in minor units, of a file without balances. */
  closing: z
    .string()
    .regex(/^-?(?:0|[1-9]\d{0,14})$/)
    .optional(),
};

const check = namedObject('StatementCheck', {
  format: z.enum(STATEMENT_FORMATS),
  /** Null for a file that cannot be read yet. */
  period: z.object({ from: day, to: day }).nullable(),
  lines: z.number().int(),
  /** Lines that an earlier statement has. They are skipped. */
  known: z.number().int(),
  /** Lines that the bank has not booked, by its words. They are left out. */
  notBooked: z.array(z.object({ status: z.string(), count: z.number().int() })),
  opening: money.nullable(),
  /** Sum of the new lines. */
  sum: money,
  closing: money.nullable(),
  /** Columns of a CSV file; null for other formats. */
  csv: z
    .object({
      header: z.array(z.string()),
      samples: z.array(z.array(z.string())),
      columns: z.record(z.enum(STATEMENT_FILE_FIELDS), z.number().int().nullable()),
      dayOrder: z.enum(DAY_ORDERS).nullable(),
      notation,
      /** Choices that are missing: "Date", "Order of days", "Closing balance". */
      missing: z.array(z.string()),
      problems: z.array(fileProblem),
      problemCount: z.number().int(),
    })
    .nullable(),
  /** SHA-256 over what would be imported. Importing carries it. */
  hash: z.string(),
});

const FILE_ERRORS = [
  ...(['company_account_not_found', 'statement_unreadable', 'statement_too_large'] as const),
  ...(['statement_other_account', 'statement_gap', 'statement_currency'] as const),
  ...(['import_not_text', 'import_unreadable', 'import_no_header', 'import_empty'] as const),
  ...(['import_too_many_rows', 'invalid_request'] as const),
] as const;

const TOPICS = ['company-bank', 'payroll', ...MONEY_TOPICS] as const;
const OF_FILE = {
  access: 'admin',
  confirms: 'recent',
  hourly: 'uploads',
  params: idParams,
  upload: 'csv',
} as const;
const CHANGES = { changes: { admins: ['company-bank'] } } as const;
/** A line that has the amount of a payout file settles the file. */
const SETTLES = {
  mayChange: {
    owner: ['withdrawals', 'payments', 'wallets'],
    admins: ['payouts', 'withdrawals', 'payments'],
  },
} as const;

export const companyBankRoutes = {
  adminGetCompanyBank: defineRoute('GET /api/admin/company-bank', {
    summary: 'What is at the bank, on its way and owed; accounts, statements and rules',
    access: 'admin',
    topics: [...TOPICS, 'settings'],
    reply: z.object({
      accounts: z.array(account),
      position,
      statements: z.array(statement),
      rules: z.array(rule),
    }),
  }),
  adminGetBankPosition: defineRoute('GET /api/admin/company-bank/position', {
    summary: 'What is at the bank, on its way and owed, and what is not explained',
    access: 'admin',
    topics: [...TOPICS, 'settings'],
    reply: z.object({
      ...sums,
      /** Null before the first statement. */
      onItsWay: money.nullable(),
    }),
  }),
  adminListBankLines: defineRoute('GET /api/admin/company-bank/lines', {
    summary:
      'A page of the lines of a statement, or of all that have no match, with what is proposed for each',
    access: 'admin',
    topics: [...TOPICS, 'closing'],
    /**
     * Without a statement: all lines that have no match. Those without a match are first, then the others, the newest first.
     * A search finds words of the bank, references and amounts.
     */
    query: z.object({
      statementId: id.optional(),
      search: z.string().max(SEARCH_MAX_LENGTH).default(''),
      page,
    }),
    reply: z.object({
      lines: z.array(bankLine),
      /** Number of lines of all pages. */
      total: z.number().int(),
    }),
    errors: ['statement_not_found'],
  }),
  adminFindBankItems: defineRoute('GET /api/admin/company-bank/lines/{id}/items', {
    summary:
      'Items that a line could be: those of its amount, likeliest first, or those that a search finds',
    access: 'admin',
    topics: TOPICS,
    params: idParams,
    query: z.object({ search: z.string().max(100).default('') }),
    reply: z.object({ candidates: z.array(candidate) }),
    errors: ['bank_line_not_found'],
  }),
  adminAddCompanyAccount: defineRoute('POST /api/admin/company-bank/accounts', {
    summary: 'Add one of the company’s own bank accounts, whose statements are imported',
    access: 'admin',
    confirms: 'recent',
    ...CHANGES,
    body: z.object({
      bankName: textOf(companyBankRules.bankName),
      label: textOf(companyBankRules.label),
      number: textOf(companyBankRules.number),
      routingNumber: accountNumbers.routingNumber,
    }),
    reply: account,
    status: 201,
    errors: ['company_account_exists', 'invalid_request'],
  }),
  adminCheckStatement: defineRoute('POST /api/admin/company-bank/accounts/{id}/statement-check', {
    summary: 'Check a statement (CSV, OFX or camt.053); nothing is imported',
    ...OF_FILE,
    query: z.object(reading),
    reply: check,
    errors: FILE_ERRORS,
  }),
  adminImportStatement: defineRoute('POST /api/admin/company-bank/accounts/{id}/statements', {
    summary:
      'Import a checked statement, all of it or nothing; lines that agree by reference and amount are matched',
    ...OF_FILE,
    query: z.object({
      ...reading,
      fileName: z.string().max(1_000).default(''),
      hash: z.string().regex(/^[0-9a-f]{64}$/),
    }),
    reply: z.object({
      lines: z.number().int(),
      known: z.number().int(),
      /** Lines that are left out because the bank has not booked them. */
      notBooked: z.number().int(),
      matched: z.number().int(),
    }),
    status: 201,
    errors: [
      ...FILE_ERRORS,
      ...(['statement_choices', 'statement_nothing_new', 'month_closed', 'conflict'] as const),
    ],
  }),
  adminMatchBankLine: defineRoute('POST /api/admin/company-bank/lines/{id}/match', {
    summary: 'Match a line with items whose amounts add up to its own',
    access: 'admin',
    confirms: 'recent',
    ...CHANGES,
    ...SETTLES,
    params: idParams,
    body: z.object({
      items: z
        .array(
          z.object({
            kind: z.enum(BANK_ITEM_KINDS),
            itemId,
            /** Minor units, below zero for money out. */
            minor: z.string().regex(/^-?[1-9]\d{0,14}$/),
          }),
        )
        .min(1)
        .max(MOST_LINE_ITEMS),
      /** Rule by which it was proposed. */
      ruleId: id.nullable().default(null),
      isSuggestion: z.boolean().default(false),
    }),
    reply: bankLine,
    errors: [
      ...(['bank_line_not_found', 'bank_line_matched', 'bank_items_sum'] as const),
      ...(['bank_item_taken', 'bank_item_not_found', 'bank_rule_not_found'] as const),
      'month_closed',
    ],
  }),
  adminUnmatchBankLine: defineRoute('POST /api/admin/company-bank/lines/{id}/unmatch', {
    summary: 'Take the match of a line back; the trail keeps it',
    access: 'admin',
    ...CHANGES,
    params: idParams,
    reply: bankLine,
    errors: ['bank_line_not_found', 'bank_line_unmatched', 'month_closed'],
  }),
  adminAddBankRule: defineRoute('POST /api/admin/company-bank/rules', {
    summary: 'Add a rule that proposes what lines with a text are',
    access: 'admin',
    ...CHANGES,
    body: z.object({
      text: textOf(companyBankRules.ruleText),
      direction: z.enum(BANK_DIRECTIONS),
      most: amount.nullable(),
      kind: z.enum(OWN_KINDS),
    }),
    reply: rule,
    status: 201,
    errors: ['amount_invalid'],
  }),
  adminRemoveBankRule: defineRoute('DELETE /api/admin/company-bank/rules/{id}', {
    summary: 'Remove a rule; lines that were matched by it stay matched',
    access: 'admin',
    ...CHANGES,
    params: idParams,
    reply: done,
    errors: ['bank_rule_not_found'],
  }),
};
