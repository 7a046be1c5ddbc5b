export const PAYROLL_STATUSES = ['draft', 'pending', 'processing', 'completed', 'failed'] as const;
export type PayrollStatus = (typeof PAYROLL_STATUSES)[number];

export const PAYROLL_LINE_STATUSES = [
  'draft',
  'processed',
  'skipped',
  'failed',
  'reversed',
] as const;
export type PayrollLineStatus = (typeof PAYROLL_LINE_STATUSES)[number];

export type PayrollAction = 'start' | 'post' | 'retryFailed';

/** In which status of the batch each action is legal. */
export const payrollCan = {
  start: ['pending'],
  post: ['processing'],
  retryFailed: ['completed', 'failed'],
} as const satisfies Record<PayrollAction, readonly PayrollStatus[]>;

/** Why a line was skipped before, or failed while, paying. */
export const PAYROLL_LINE_REASONS = [
  'no_wallet',
  'wallet_closed',
  'employee_inactive',
  // Refusals by the ledger; the last is whatever has no words of its own.
  'funding_exhausted',
  'account_refused',
  'other_currency',
  'reference_used',
  'ledger_refused',
] as const;
export type PayrollLineReason = (typeof PAYROLL_LINE_REASONS)[number];
