import { z } from 'zod';
import { IMPORT_MAX_COLUMNS } from '../employee-import.ts';
import { MAX_COLUMN_INTEGER } from '../limits.ts';
import {
  ABSENT_CHOICES,
  PAYROLL_FILE_ABSENT,
  PAYROLL_FILE_DEDUCTIONS,
  PAYROLL_FILE_LEFT_OUT,
} from '../payroll-file.ts';
import { namedObject } from '../schema-names.ts';
import { WALLET_TYPES } from '../wallets.ts';
import type { WalletType } from '../wallets.ts';
import { fileProblem, person } from './common.ts';
import { amount, day, idParams, money } from './values.ts';
import { defineRoute } from './define.ts';
import { payrollDraft } from './payroll-drafts.ts';

/** Number of a column, counted from 0. */
const column = z.coerce
  .number()
  .int()
  .min(0)
  .max(IMPORT_MAX_COLUMNS - 1);

/** A value for each type of wallet. */
function forWallets<Value>(value: Value): Record<WalletType, Value> {
  return { salary: value, savings: value, retirement: value, irs: value };
}

/** Reading of a file. Without any column they are found by their names, or as somebody chose them before. */
const reading = {
  employeeId: column.optional(),
  email: column.optional(),
  amount: column.optional(),
  /** Amounts for the further types of wallet that the payroll pays. A type without a column stays as it is. */
  ...forWallets(column.optional()),
  /** Gross pay, which goes on the payslip together with the deductions. Less these it is the amount, in every row. */
  gross: column.optional(),
  /** Columns of taxes and deductions, with commas between them: `4,5,6`. */
  deductions: z
    .string()
    .regex(new RegExp(`^(?:\\d{1,2}(?:,\\d{1,2}){0,${PAYROLL_FILE_DEDUCTIONS - 1}})?$`))
    .default(''),
  /** Rows that are left out by name, with commas between them: `13,41`. */
  leftOut: z
    .string()
    .max(PAYROLL_FILE_LEFT_OUT * 8)
    .regex(/^(?:[1-9]\d{0,6}(?:,[1-9]\d{0,6})*)?$/)
    .default(''),
};

const CHOICE = `(?:${ABSENT_CHOICES.join('|')})\\.[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}`;

const sha256 = z.string().regex(/^[0-9a-f]{64}$/);

/** A file of amounts, checked against the draft that it would fill in. */
const payrollFileCheck = namedObject('PayrollFileCheck', {
  /** Version of the draft that it was checked against. */
  version: z.number().int(),
  /** Names of its columns. */
  header: z.array(z.string()),
  /** Cells of its first rows, as many as `PAYROLL_FILE_SAMPLES`. */
  samples: z.array(z.array(z.string())),
  /** Column of each field, counted from 0; null where none was found or chosen. */
  columns: z.object({
    employeeId: z.number().int().nullable(),
    email: z.number().int().nullable(),
    amount: z.number().int().nullable(),
    gross: z.number().int().nullable(),
    ...forWallets(z.number().int().nullable()),
    /** Columns of taxes and deductions. */
    deductions: z.array(z.number().int()),
  }),
  /** Columns that have to be chosen before anything is checked: "Employee ID or Email", "Amount". */
  missing: z.array(z.string()),
  counts: z.object({
    rows: z.number().int(),
    /** People whose amounts would be filled in. */
    employees: z.number().int(),
    /** Rows without an amount, whose people are not in this payroll. */
    blank: z.number().int(),
    leftOut: z.number().int(),
    /** Errors. Nothing is filled in while there is one. */
    problems: z.number().int(),
    /** People whom the last payroll paid, who can be paid now, and whom no row names. */
    absent: z.number().int(),
  }),
  /** Sum of all amounts of the file that can be read, those of rows that are left out too: the control total has to be it. */
  total: money,
  /** Sum of the amounts that would be filled in. */
  filled: money,
  /** The same for each type of wallet that has a column, and how many people get something into it. */
  wallets: z.array(
    namedObject('PayrollFileWallet', {
      walletType: z.enum(WALLET_TYPES),
      employees: z.number().int(),
      total: money,
      filled: money,
    }),
  ),
  /** Sums of what goes on the payslips of those who have a breakdown; null where no column is gross pay. */
  breakdown: z.object({ employees: z.number().int(), gross: money, deductions: money }).nullable(),
  /** Errors in the order of rows, as many as `PAYROLL_FILE_SHOWN`. */
  problems: z.array(
    namedObject('PayrollFileProblem', {
      ...fileProblem.shape,
      /** The person as the file names them. */
      who: z.string(),
    }),
  ),
  /** Rows that are left out, with the people as the file names them. */
  leftOut: z.array(
    namedObject('PayrollFileRow', {
      row: z.number().int(),
      who: z.string(),
      /** Null where it cannot be read. */
      amount: money.nullable(),
    }),
  ),
  /** Payday of the last payroll; null before the first. */
  lastOn: day.nullable(),
  /** The first people who are absent, by name, as many as `PAYROLL_FILE_ABSENT`, with what the last payroll paid them. */
  absent: z.array(namedObject('PayrollFileAbsent', { ...person.shape, last: money })),
  /** Sum of what the last payroll paid everyone who is absent. */
  absentLast: money,
  /** SHA-256 over the people and amounts that would be filled in, and those who are absent. Filling in carries it. */
  hash: sha256,
});

const refusedFiles = [
  ...(['payroll_draft_not_found', 'payroll_draft_not_open', 'amount_invalid'] as const),
  ...(['import_too_large', 'import_too_many_rows', 'import_not_text'] as const),
  ...(['import_unreadable', 'import_no_header', 'import_empty'] as const),
] as const;

const ofFile = {
  access: 'admin',
  // The server reads up to 25 MB of it.
  confirms: 'recent',
  scope: 'payroll:write',
  hourly: 'uploads',
  params: idParams,
  upload: 'csv',
} as const;

export const payrollFileRoutes = {
  adminCheckPayrollFile: defineRoute('POST /api/admin/payroll/drafts/{id}/file-check', {
    summary: 'Check a CSV file of amounts against a draft; nothing is filled in',
    ...ofFile,
    query: z.object(reading),
    reply: payrollFileCheck,
    errors: [...refusedFiles, 'invalid_request'],
  }),
  adminListPayrollFileErrors: defineRoute('POST /api/admin/payroll/drafts/{id}/file-errors', {
    summary: 'Rows of a CSV file of amounts that have errors, as CSV with the reasons',
    ...ofFile,
    query: z.object(reading),
    reply: namedObject('PayrollFileErrors', {
      rows: z.number().int(),
      /** CSV: the cells of the file, then the row and the reasons. */
      csv: z.string(),
    }),
    errors: [...refusedFiles, 'invalid_request'],
  }),
  adminFillInPayrollFile: defineRoute('POST /api/admin/payroll/drafts/{id}/file', {
    summary:
      'Put the amounts of a checked CSV file in place of those of a draft, all of them or none; refused with any error',
    ...ofFile,
    query: z.object({
      ...reading,
      fileName: z.string().max(1_000).default(''),
      version: z.coerce.number().int().min(1).max(MAX_COLUMN_INTEGER),
      hash: sha256,
      /** Sum that the report of the payroll provider states, in minor units; `none` if it states none. */
      controlTotal: z.union([z.literal('none'), amount.shape.minor]),
      /** Choices for people who are absent, with commas between them: `out.<id>,last.<id>`. */
      absent: z
        .string()
        .regex(new RegExp(`^(?:${CHOICE}(?:,${CHOICE}){0,${PAYROLL_FILE_ABSENT - 1}})?$`))
        .default(''),
      /** The choice for everyone else who is absent. */
      absentRest: z.enum(ABSENT_CHOICES).optional(),
    }),
    reply: payrollDraft,
    errors: [
      ...refusedFiles,
      ...(['payroll_draft_changed', 'payroll_file_columns', 'payroll_file_errors'] as const),
      ...(['payroll_file_nobody', 'payroll_file_absent', 'payroll_file_total'] as const),
      ...(['conflict', 'invalid_request'] as const),
    ],
  }),
};
