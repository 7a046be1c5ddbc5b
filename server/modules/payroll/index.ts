/** Payroll: batches of lines that are reviewed, confirmed and paid, each person once. */
export { isPostingPayroll, postPayrollJob, sweepPayroll } from './jobs.ts';
export { fundEmployee } from './funding/fund-employee.ts';
export { linesHash } from './lines-hash.ts';
export { postPayroll } from './post-payroll.ts';
export { previewPayroll } from './preview-payroll.ts';
export { remindOfPayroll } from './remind-of-payroll.ts';
export { retryPayroll } from './retry-payroll.ts';
export { payrollHandlers } from './routes.ts';
export { sendPayroll } from './send-payroll.ts';
