import { command, query } from '#server/http/handlers.ts';
import type { Handlers } from '#server/http/handlers.ts';
import type { Services } from '#server/services.ts';
import { countPayrollLines, listPayrollLines } from './list-lines.ts';
import { previewPayroll } from './preview-payroll.ts';
import {
  countPayrollBatches,
  getPayrollBatch,
  getPayrollStats,
  listPayrollBatches,
} from './queries.ts';
import { retryPayroll } from './retry-payroll.ts';
import { sendPayroll } from './send-payroll.ts';

type PayrollHandlers = Pick<
  Handlers,
  | 'getPayrollStats'
  | 'previewPayroll'
  | 'sendPayroll'
  | 'listPayrollBatches'
  | 'countPayrollBatches'
  | 'getPayrollBatch'
  | 'listPayrollLines'
  | 'countPayrollLines'
  | 'retryPayroll'
>;

export function payrollHandlers(services: Services): PayrollHandlers {
  return {
    getPayrollStats: query((db) => getPayrollStats(db, services)),
    previewPayroll: query((db, _context, { body }) => previewPayroll(db, services, body)),
    sendPayroll: command((tx, context, { body }) => sendPayroll(tx, services, context, body)),
    listPayrollBatches: query((db, _context, input) => listPayrollBatches(db, input.query)),
    countPayrollBatches: query((db, _context, input) => countPayrollBatches(db, input.query)),
    getPayrollBatch: query((db, _context, { params }) => getPayrollBatch(db, params.id)),
    listPayrollLines: query((db, _context, input) => listPayrollLines(db, input)),
    countPayrollLines: query((db, _context, input) => countPayrollLines(db, input)),
    retryPayroll: command((tx, context, { params }) => retryPayroll(tx, services, context, params)),
  };
}
