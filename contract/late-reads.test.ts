import { describe, expect, test } from 'vitest';
import { ROUTES } from './routes/all.ts';
import type { RouteSpec } from './routes/define.ts';

const READS = (Object.entries(ROUTES) as [string, RouteSpec][]).filter(
  ([, { method }]) => method === 'GET',
);
const LATE = READS.filter(([, { mayBeLate }]) => mayBeLate);

/** Every operation that a replica may answer. All others read the primary. */
const MAY_BE_LATE = [
  'adminCountEmployees',
  'adminCountPaid',
  'adminCountQuestions',
  'adminExportAudit',
  'adminExportBankAccounts',
  'adminExportBills',
  'adminExportDeposits',
  'adminExportEmployees',
  'adminExportPaid',
  'adminExportPayrollBatches',
  'adminExportPayrollLines',
  'adminExportTransactions',
  'adminExportWithdrawals',
  'adminGetAuditEvent',
  'adminListAccountDocuments',
  'adminListAudit',
  'adminListEmployees',
  'adminListPaid',
  'adminListQuestions',
  'adminListTransactions',
  'adminPaidTotals',
  'adminTransactionStats',
  'countHistory',
  'countNotifications',
  'countReceipts',
  'downloadAccountDocument',
  'downloadDocumentArchive',
  'exportHistory',
  'getAccountDocument',
  'getAccountSpan',
  'getHistoryEvent',
  'listAccountDocuments',
  'listDeposits',
  'listHistory',
  'listMyAccessLog',
  'listNotifications',
  'listQuestions',
  'listReceipts',
  'listWithdrawals',
];

test('a replica answers these reads, and no other', () => {
  expect(LATE.map(([name]) => name).toSorted()).toEqual(MAY_BE_LATE);
});

describe('a read that may be late', () => {
  test('is a read, and is for people who are known', () => {
    const others = (Object.entries(ROUTES) as [string, RouteSpec][]).filter(
      ([, { method, access, mayBeLate }]) => mayBeLate && (method !== 'GET' || access === 'public'),
    );
    expect(others).toEqual([]);
  });

  test('is none of sessions, rights, money that is there, or what is about to be confirmed', () => {
    const decides =
      /session|security|passkey|wallet|balance|available|option|preview|rehears|confirm|setting|fundable|draft|returns|payouts|closing|company-bank|import/i;
    expect(LATE.filter(([name, { path }]) => decides.test(name) || decides.test(path))).toEqual([]);
  });

  test('is a list with a topic of its own, an export, or a document, so that a live event has it read again', () => {
    const silent = LATE.filter(([, { topics, reply }]) => topics === null && reply !== 'csv');
    expect(silent.map(([name]) => name)).toEqual([
      'downloadAccountDocument',
      'downloadDocumentArchive',
    ]);
  });
});
