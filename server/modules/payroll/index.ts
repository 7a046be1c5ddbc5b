/** Payroll: batches of lines that are reviewed, confirmed and paid, each person once. */
export { createPayrollDraft } from './drafts/create-draft.ts';
export { newestDrafts } from './drafts/rows.ts';
export { approvalOf, readBatchReader } from './approval.ts';
export { isPostingPayroll, postPayrollJob, sweepPayroll } from './jobs.ts';
export { fundEmployee } from './funding/fund-employee.ts';
export { fundingAccounts } from './funding/fundable.ts';
export { nextPayrollDay } from './due-payroll.ts';
export { linesHash } from './lines-hash.ts';
export { nextPayday } from './next-payday.ts';
export { paidByPayroll } from './paid-total.ts';
export { postPayroll } from './post-payroll.ts';
export { presentWindow } from './present.ts';
export { previewPayroll } from './preview-payroll.ts';
export { remindOfPayroll } from './remind-of-payroll.ts';
export { payrollActs } from './batch.ts';
export { reverseLine } from './reverse-line.ts';
export { SENDS_IN_MS } from './rows.ts';
export { sendPayroll } from './send-payroll.ts';
