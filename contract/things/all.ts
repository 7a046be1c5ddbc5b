import { apiKey } from './api-key.ts';
import { application } from './application.ts';
import { bankAccount } from './bank-account.ts';
import { bill } from './bill.ts';
import { deposit } from './deposit.ts';
import { document } from './document.ts';
import { invite } from './invite.ts';
import { payrollBatch } from './payroll-batch.ts';
import { payrollDraft } from './payroll-draft.ts';
import { payrollLine } from './payroll-line.ts';
import { payoutFile } from './payout-file.ts';
import { payoutReversal } from './payout-reversal.ts';
import { person } from './person.ts';
import { recovery } from './recovery.ts';
import type { EarlierAct, Thing } from './thing.ts';
import { usualPayChange } from './usual-pay-change.ts';
import { withdrawal } from './withdrawal.ts';

/** Every thing that is declared. */
export const THINGS: readonly Thing[] = [
  withdrawal,
  deposit,
  bill,
  bankAccount,
  payoutFile,
  payoutReversal,
  payrollBatch,
  usualPayChange,
  payrollDraft,
  payrollLine,
  recovery,
  application,
  document,
  person,
  invite,
  apiKey,
];

/** The acts after which somebody else has to do another: `bank_account.verify`. */
export type FirstStep = EarlierAct<
  | typeof withdrawal
  | typeof bill
  | typeof deposit
  | typeof bankAccount
  | typeof payoutFile
  | typeof payoutReversal
  | typeof payrollBatch
  | typeof payrollLine
  | typeof usualPayChange
>;
