import { application } from './application.ts';
import { bankAccount } from './bank-account.ts';
import { bill } from './bill.ts';
import { deposit } from './deposit.ts';
import { document } from './document.ts';
import { payrollBatch } from './payroll-batch.ts';
import type { Thing } from './thing.ts';
import { withdrawal } from './withdrawal.ts';

/** Every thing that is declared. */
export const THINGS: readonly Thing[] = [
  withdrawal,
  deposit,
  bill,
  bankAccount,
  payrollBatch,
  application,
  document,
];
