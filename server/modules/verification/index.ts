/**
 * Compares the books with the business: the ledger with deposits, withdrawals, payroll and wallets,
 * in both directions, and those with the audit trail. It only reads.
 */
import { accessChecks, amountsUsed } from './access-checks.ts';
import { bankAccountChecks } from './bank-account-checks.ts';
import type { ScopedCheck } from './check.ts';
import { closingChecks } from './closing-checks.ts';
import { companyBankChecks } from './company-bank-checks.ts';
import { depositTerms } from './deposit-checks.ts';
import { historyChecks } from './histories.ts';
import { movementChecks } from './movement-checks.ts';
import { payeeChecks } from './payee-checks.ts';
import { payoutChecks } from './payout-checks.ts';
import { returnChecks } from './return-checks.ts';
import { payrollChecks } from './payroll-checks.ts';
import { peopleChecks } from './people-checks.ts';
import { postingChecks } from './posting-checks.ts';
import { recoveryChecks } from './recovery-checks.ts';
import { reversalChecks } from './reversal-checks.ts';
import { settingsChecks } from './settings-checks.ts';
import { transferChecks } from './transfer-checks.ts';
import { usualPayChecks } from './usual-pay-checks.ts';
import { walletChecks } from './wallet-checks.ts';

export type { ScopedCheck } from './check.ts';
export { countPartlyRecorded } from './records.ts';
export { askChecks, checksFor, runChecks } from './run-checks.ts';
export { newestBooksRecord, unsoundRuns } from './settings-checks.ts';

/** Every check, by the names that docs/ledger.md lists. */
export const businessChecks: readonly ScopedCheck[] = [
  ...postingChecks,
  ...walletChecks,
  ...movementChecks,
  depositTerms,
  ...bankAccountChecks,
  ...payeeChecks,
  ...payoutChecks,
  ...returnChecks,
  ...payrollChecks,
  ...companyBankChecks,
  ...closingChecks,
  ...usualPayChecks,
  ...transferChecks,
  ...reversalChecks,
  ...recoveryChecks,
  ...historyChecks,
  ...peopleChecks,
  ...settingsChecks,
  ...accessChecks,
  amountsUsed,
];
