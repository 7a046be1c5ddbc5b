import { command, query } from '#server/http/handlers.ts';
import type { Handlers } from '#server/http/handlers.ts';
import { listHandlers } from '#server/http/list-handlers.ts';
import { readSettings } from '#server/modules/settings/index.ts';
import type { Services } from '#server/services.ts';
import { readBatchReader } from './approval.ts';
import { payrollActs } from './batch.ts';
import { payrollBatches } from './batch-list.ts';
import { lineScope, payrollLines } from './line-list.ts';
import { previewPayroll } from './preview-payroll.ts';
import { fundEmployee } from './funding/fund-employee.ts';
import { fundableEmployees, fundingAccounts, fundingStats } from './funding/fundable.ts';
import { getPayrollBatch, getPayrollStats } from './queries.ts';
import { sendPayroll } from './send-payroll.ts';

type PayrollHandlers = Pick<
  Handlers,
  | 'adminGetPayrollStats'
  | 'adminPreviewPayroll'
  | 'adminSendPayroll'
  | 'adminListPayrollBatches'
  | 'adminCountPayrollBatches'
  | 'adminGetPayrollBatch'
  | 'adminListPayrollLines'
  | 'adminCountPayrollLines'
  | 'adminExportPayrollLines'
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
>;

export function payrollHandlers(services: Services): PayrollHandlers {
  return {
    adminGetPayrollStats: query((db) => getPayrollStats(db, services)),
    adminPreviewPayroll: query((db, _context, { body }) => previewPayroll(db, services, body)),
    adminSendPayroll: command((tx, context, { body }) => sendPayroll(tx, services, context, body)),
    ...listHandlers(payrollBatches, (db, { actor }) => readBatchReader(db, actor.id)),
    adminGetPayrollBatch: query((db, { actor }, { params }) =>
      getPayrollBatch(db, params.id, actor.id),
    ),
    ...listHandlers(payrollLines, (db, _context, { params }) => lineScope(db, params.id), {
      name: 'payroll-lines',
      clock: services.clock,
      timeZone: ({ timeZone }) => timeZone,
    }),
    ...payrollActs.handlers(services),
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
