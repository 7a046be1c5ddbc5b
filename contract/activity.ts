/** What the person sees a movement of money as; derived from the ledger's kind and the request. */
export const TRANSACTION_TYPES = [
  'payroll',
  'deposit',
  'withdrawal',
  'transfer',
  'funding',
  'fee',
  'reversal',
] as const;
export type TransactionType = (typeof TRANSACTION_TYPES)[number];

export const TRANSACTION_STATUSES = ['completed', 'pending', 'failed', 'cancelled'] as const;
export type TransactionStatus = (typeof TRANSACTION_STATUSES)[number];
