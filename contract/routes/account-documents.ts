import { z } from 'zod';
import { namedObject } from '../schema-names.ts';
import { ACCOUNT_DOCUMENT_ID, ACCOUNT_DOCUMENT_KINDS } from '../account-documents.ts';
import { receiptList } from '../lists.ts';
import { WALLET_TYPES } from '../wallets.ts';
import { MONEY_TOPICS } from './common.ts';
import { day, id, idParams, money } from './values.ts';
import { defineRoute } from './define.ts';
import { eventId, historyItem } from './history.ts';
import { listRoutes } from './list.ts';

/** `payslip.<id>`, `statement.salary.2026-11`, `receipt.<id>.salary` */
export const documentId = z.string().regex(ACCOUNT_DOCUMENT_ID, 'Use the id of a document');

/** Content of one place of a document: words, an amount, or the reference of an entry. */
const cell = z.union([
  z.string(),
  namedObject('AccountDocumentAmount', {
    amount: money,
    /** Written with its sign, also above zero. */
    isSigned: z.boolean(),
  }),
  namedObject('AccountDocumentReference', {
    reference: z.string(),
    /** The entry itself, which can be proven. */
    event: eventId,
  }),
]);

/**
 * A document as it is read: the screen and the PDF show exactly this, in this order. Days and months
 * are the company's, already in words.
 */
const accountDocument = namedObject('AccountDocument', {
  id: documentId,
  kind: z.enum(ACCOUNT_DOCUMENT_KINDS),
  title: z.string(),
  subtitle: z.string(),
  company: z.object({ name: z.string(), address: z.array(z.string()) }),
  /** Sentence above everything else, for a month that has not ended. Null if there is none. */
  notice: z.string().nullable(),
  /** The figure that it is about. */
  lead: z.object({ label: z.string(), amount: money, isSigned: z.boolean() }),
  /** Two columns of facts. */
  facts: z.array(z.array(z.object({ label: z.string(), value: cell }))),
  tables: z.array(
    z.object({
      /** Null where it needs none. */
      title: z.string().nullable(),
      columns: z.array(z.object({ label: z.string(), kind: z.enum(['text', 'code', 'amount']) })),
      /** One cell for each column. */
      rows: z.array(z.array(cell)),
      /** The last line, under a double rule. */
      total: z.array(cell).nullable(),
      /** Rows before the total that are left out on screen and stand in the PDF. */
      omitted: z.int(),
    }),
  ),
  /** In which sealed block of the ledger its entries are: whole sentences. */
  proof: z.array(z.string()),
  /** The number that it is about, as it can be proven: a posted event, or the balance after an entry. */
  proves: z
    .union([
      z.object({ kind: z.literal('event'), id: eventId }),
      z.object({
        kind: z.literal('balance'),
        account: z.enum(WALLET_TYPES),
        number: z.string(),
      }),
    ])
    .nullable(),
  /** Contact for questions, and the last day for them. */
  questions: z.string(),
  /** At the foot of every page. */
  reference: z.string(),
  /** Suggested file name, without `.pdf`. */
  fileName: z.string(),
});

const documentParams = z.object({ id: documentId });

/** The first payslips and statements are of this year, the last of the year 9999. */
const year = z.coerce.number().int().min(1970).max(9999);

/** Payslips and statements of one year. */
const yearOfDocuments = namedObject('AccountDocuments', {
  year: z.int(),
  /** Those that have documents, newest first; always the present one. */
  years: z.array(z.int()),
  /** Null while no payday is known. */
  nextPayday: z.object({ date: day, inDays: z.int() }).nullable(),
  payslips: z.object({
    items: z.array(
      z.object({
        id: documentId,
        reference: z.string(),
        paidOn: day,
        payPeriod: z.string(),
        /** "Payroll", or the type of an individual funding: "Bonus". */
        kind: z.string(),
        account: z.string(),
        amount: money,
        /** Part of the amount that was taken back. */
        reversed: money,
        /** It was taken back as a whole: the payslip says so. */
        isReversed: z.boolean(),
      }),
    ),
    /** Count of those of the year; `items` may be fewer. */
    total: z.int(),
    /** Sum of all payments of the year, less the reversed ones. */
    totalPaid: money,
    /** The part of it that gave back what the person had spent, and is no earning. */
    reimbursed: money,
  }),
  statements: z.array(
    z.object({
      id: documentId,
      account: z.enum(WALLET_TYPES),
      accountName: z.string(),
      accountLast4: z.string(),
      /** `2026-11` */
      month: z.string(),
      entries: z.int(),
      closing: money,
      /** The day from which it is final; null once it is. Until then it has what was posted so far. */
      finalOn: day.nullable(),
    }),
  ),
});

const yearQuery = z.object({ year: year.optional() });

/** A payslip or statement of the person whose id it comes with. */
const documentOfPerson = z.object({
  id,
  document: documentId.regex(/^(?:payslip|statement)\./, 'Use the id of a payslip or statement'),
});

export const accountDocumentRoutes = {
  listAccountDocuments: defineRoute('GET /api/account-documents', {
    summary: 'My payslips and monthly statements of one year, newest first',
    access: 'employee',
    mayBeLate: true,
    topics: MONEY_TOPICS,
    isForLeavers: true,
    /** Without one, the company's present year. */
    query: yearQuery,
    reply: yearOfDocuments,
  }),
  ...listRoutes('/api/receipts', receiptList, historyItem, {
    summary: 'What has a receipt: deposits, withdrawals, bills, payments and what was reversed',
    access: 'employee',
    late: 'all',
    topics: MONEY_TOPICS,
  }),
  getAccountDocument: defineRoute('GET /api/account-documents/{id}', {
    summary: 'One of my payslips, monthly statements or receipts, as it is read',
    access: 'employee',
    mayBeLate: true,
    topics: MONEY_TOPICS,
    isForLeavers: true,
    params: documentParams,
    reply: accountDocument,
    errors: ['account_document_not_found'],
  }),
  downloadAccountDocument: defineRoute('GET /api/account-documents/{id}/pdf', {
    summary: 'The same as PDF',
    access: 'employee',
    mayBeLate: true,
    isForLeavers: true,
    hourly: 'documents',
    params: documentParams,
    reply: 'pdf',
    errors: ['account_document_not_found', 'statement_too_long'],
  }),
  downloadDocumentArchive: defineRoute('GET /api/document-archives/{year}', {
    summary: 'All my payslips, statements and receipts of one year as PDF, in a ZIP archive',
    access: 'employee',
    mayBeLate: true,
    confirms: 'recent',
    hourly: 'archives',
    params: z.object({ year }),
    reply: 'zip',
    errors: ['archive_too_large', 'archive_empty'],
  }),
  adminDownloadPayslips: defineRoute('GET /api/admin/payroll/batches/{id}/payslips', {
    summary:
      'Payslips of a payroll as PDF, in a ZIP archive of at most 10,000; each person sees it',
    access: 'admin',
    confirms: 'recent',
    hourly: 'exports',
    params: idParams,
    query: z.object({
      /** 1 for the lines 1 to 10,000, 2 for those after them. */
      part: z.coerce.number().int().min(1).max(1_000).default(1),
    }),
    reply: 'zip',
    errors: ['payroll_not_found', 'payslips_none'],
  }),
  adminListAccountDocuments: defineRoute('GET /api/admin/people/{id}/account-documents', {
    summary: 'Payslips and monthly statements of one person and year, newest first',
    access: 'admin',
    mayBeLate: true,
    topics: MONEY_TOPICS,
    params: idParams,
    query: yearQuery,
    reply: yearOfDocuments,
    errors: ['person_not_found'],
  }),
  adminGetAccountDocument: defineRoute('GET /api/admin/people/{id}/account-documents/{document}', {
    summary: 'One payslip or monthly statement of a person, who sees that it was opened',
    access: 'admin',
    topics: [],
    params: documentOfPerson,
    reply: accountDocument,
    errors: ['person_not_found', 'account_document_not_found'],
  }),
  adminDownloadAccountDocument: defineRoute(
    'GET /api/admin/people/{id}/account-documents/{document}/pdf',
    {
      summary: 'The same as PDF',
      access: 'admin',
      hourly: 'documents',
      params: documentOfPerson,
      reply: 'pdf',
      errors: ['person_not_found', 'account_document_not_found', 'statement_too_long'],
    },
  ),
};
