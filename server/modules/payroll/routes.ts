import type { payrollDraftRoutes } from '#contract/routes/payroll-drafts.ts';
import type { payrollFileRoutes } from '#contract/routes/payroll-files.ts';
import type { recoveryRoutes } from '#contract/routes/recoveries.ts';
import { withLongReads } from '#server/db/tx.ts';
import { command, query } from '#server/http/handlers.ts';
import type { Handlers } from '#server/http/handlers.ts';
import { listHandlers } from '#server/http/list-handlers.ts';
import { readSettings } from '#server/modules/settings/index.ts';
import type { Services } from '#server/services.ts';
import { acknowledgeDifference } from './acknowledge.ts';
import { readBatchReader } from './approval.ts';
import { payrollActs, retryLine } from './batch.ts';
import { DECIDING_MS } from './decide-lines.ts';
import { createPayrollDraft } from './drafts/create-draft.ts';
import { payrollDraftActs } from './drafts/draft.ts';
import { payrollDrafts } from './drafts/draft-list.ts';
import {
  checkPayrollFile,
  fillInPayrollFile,
  listPayrollFileErrors,
} from './drafts/fill-in-file.ts';
import { listDraftPeople } from './drafts/people.ts';
import { getPayrollDraft } from './drafts/rows.ts';
import { getScheduledPayroll } from './drafts/scheduled-payroll.ts';
import { savePayrollDraft } from './drafts/save-draft.ts';
import { addDraftWallet } from './drafts/parts.ts';
import { rehearseDraft } from './drafts/rehearse-draft.ts';
import { previewPayrollDraft, sendPayrollDraft } from './drafts/send-draft.ts';
import { payrollBatches, sumDays } from './batch-list.ts';
import { lineScope, payrollLines } from './line-list.ts';
import { previewPayroll } from './preview-payroll.ts';
import { fundEmployee } from './funding/fund-employee.ts';
import { fundableEmployees, fundingAccounts, fundingStats } from './funding/fundable.ts';
import { getPayrollBatch, getPayrollStats } from './queries.ts';
import { getPayrollTotals } from './totals.ts';
import { getNextPay } from './next-pay.ts';
import { getDifferences, listDifferences } from './read-differences.ts';
import { getReversal } from './get-reversal.ts';
import { proposeRecovery } from './recoveries/propose-recovery.ts';
import { recoveryActs } from './recoveries/acts.ts';
import { listRecoveriesOf, readRecoveries } from './recoveries/read-recoveries.ts';
import { reverseBatch } from './reverse-batch.ts';
import { reverseLine } from './reverse-line.ts';
import { sendPayroll } from './send-payroll.ts';

type PayrollHandlers = Pick<
  Handlers,
  | 'adminGetPayrollStats'
  | 'adminPreviewPayroll'
  | 'adminRehearsePayrollDraft'
  | 'adminAcknowledgePayroll'
  | 'adminGetPayrollDifferences'
  | 'adminListPayrollDifferences'
  | 'adminSendPayroll'
  | 'adminListPayrollBatches'
  | 'adminCountPayrollBatches'
  | 'adminGetPayrollBatch'
  | 'adminListPayrollLines'
  | 'adminCountPayrollLines'
  | 'adminExportPayrollLines'
  | 'adminGetPayrollReversal'
  | 'adminExportPayrollBatches'
  | 'adminSumPayrollDays'
  | 'adminGetNextPay'
  | 'adminGetScheduledPayroll'
  | 'adminReversePayrollLine'
  | 'adminReversePayroll'
  | 'adminRetryPayrollLine'
  | 'adminGetPayrollTotals'
  | 'adminApprovePayroll'
  | 'adminDeclinePayroll'
  | 'adminStopPayroll'
  | 'adminDiscardPayroll'
  | 'adminRetryPayroll'
  | 'adminGetFundingStats'
  | 'adminListFundable'
  | 'adminCountFundable'
  | 'adminGetFundingAccounts'
  | 'adminFundEmployee'
> &
  Pick<
    Handlers,
    keyof typeof payrollDraftRoutes | keyof typeof payrollFileRoutes | keyof typeof recoveryRoutes
  >;

export function payrollHandlers(services: Services): PayrollHandlers {
  return {
    adminGetPayrollStats: query((db) => getPayrollStats(db, services)),
    adminPreviewPayroll: query((db, by, { body }) =>
      withLongReads(db, DECIDING_MS, (tx) => previewPayroll(tx, services, by, body)),
    ),
    adminSendPayroll: command((tx, context, { body }) => sendPayroll(tx, services, context, body)),
    adminAcknowledgePayroll: command((tx, by, { body }) =>
      acknowledgeDifference(tx, services, by, body),
    ),
    adminGetPayrollDifferences: query((db, { actor }, { params }) =>
      withLongReads(db, DECIDING_MS, (tx) => getDifferences(tx, services, params.id, actor.id)),
    ),
    adminListPayrollDifferences: query((db, _context, { body }) =>
      withLongReads(db, DECIDING_MS, (tx) => listDifferences(tx, services, body)),
    ),
    ...listHandlers(payrollBatches, (db, { actor }) => readBatchReader(db, actor.id), {
      name: 'payroll-batches',
      clock: services.clock,
      timeZone: ({ duties }) => duties.settings.timeZone,
    }),
    adminSumPayrollDays: query((db, _context, { query: view }) => sumDays(db, view)),
    adminGetScheduledPayroll: query((db) => getScheduledPayroll(db, services)),
    adminGetNextPay: query((db, _context, { params }) => getNextPay(db, services, params.id)),
    adminGetPayrollBatch: query((db, { actor }, { params }) =>
      getPayrollBatch(db, params.id, actor.id),
    ),
    ...listHandlers(payrollLines, (db, _context, { params }) => lineScope(db, params.id), {
      name: 'payroll-lines',
      clock: services.clock,
      timeZone: ({ timeZone }) => timeZone,
    }),
    adminGetPayrollReversal: query((db, { actor }, { params }) =>
      getReversal(db, services, params.id, actor.id),
    ),
    adminReversePayrollLine: command((tx, by, { params, body }) =>
      reverseLine(tx, services, by, { ...params, ...body }),
    ),
    adminRetryPayrollLine: command((tx, by, { params }) => retryLine(tx, services, by, params)),
    adminGetPayrollTotals: query((db, _context, { params }) => getPayrollTotals(db, params.id)),
    adminReversePayroll: command((tx, by, { params, body }) =>
      reverseBatch(tx, services, by, { ...params, ...body }),
    ),
    adminProposeRecovery: command((tx, by, { params, body }) =>
      proposeRecovery(tx, services, by, { ...params, ...body }),
    ),
    getRecoveries: query(async (db, { actor }) => ({
      recoveries: await readRecoveries(db, services, { actor, as: 'owner' }, { userId: actor.id }),
    })),
    adminGetRecoveries: query((db, { actor }, { params }) =>
      listRecoveriesOf(db, services, actor, params.id),
    ),
    ...recoveryActs.handlers(services),
    ...payrollActs.handlers(services),
    ...listHandlers(payrollDrafts, readSettings),
    ...payrollDraftActs.handlers(services),
    adminGetPayrollDraft: query(async (db, _context, { params }) =>
      getPayrollDraft(db, await readSettings(db), params.id),
    ),
    adminGetDraftPeople: query((db, _context, { params, query: { after } }) =>
      listDraftPeople(db, services, { id: params.id, after }),
    ),
    adminCreatePayrollDraft: command((tx, by, { body }) =>
      createPayrollDraft(tx, services, by, body),
    ),
    adminSavePayrollDraft: command((tx, by, { params, body }) =>
      savePayrollDraft(tx, services, by, { ...params, ...body }),
    ),
    adminAddPayrollDraftWallet: command((tx, by, { params, body }) =>
      addDraftWallet(tx, services, by, { ...params, ...body }),
    ),
    adminCheckPayrollFile: {
      kind: 'upload',
      run: (db, by, { params, query: asked }, body) =>
        checkPayrollFile(db, services, by, { ...params, query: asked, body }),
    },
    adminListPayrollFileErrors: {
      kind: 'upload',
      run: (db, by, { params, query: asked }, body) =>
        listPayrollFileErrors(db, services, by, { ...params, query: asked, body }),
    },
    adminFillInPayrollFile: {
      kind: 'upload',
      run: (db, by, { params, query: asked }, body) =>
        fillInPayrollFile(db, services, by, { ...params, query: asked, body }),
    },
    adminPreviewPayrollDraft: query((db, { actor }, { params }) =>
      withLongReads(db, DECIDING_MS, (tx) =>
        previewPayrollDraft(tx, services, { ...params, readerId: actor.id }),
      ),
    ),
    adminRehearsePayrollDraft: {
      kind: 'csv',
      run: (db, _by, { params, query: { on } }) => rehearseDraft(db, services, { ...params, on }),
    },
    adminSendPayrollDraft: command((tx, by, { params, body }) =>
      sendPayrollDraft(tx, services, by, { ...params, ...body }),
    ),
    adminGetFundingStats: query((db) => fundingStats(db, services)),
    ...listHandlers(fundableEmployees, readSettings),
    adminGetFundingAccounts: query((db, _context, { params }) =>
      fundingAccounts(db, services, params.id),
    ),
    adminFundEmployee: command((tx, by, { params, body }) =>
      fundEmployee(tx, services, by, { ...params, ...body }),
    ),
  };
}
