import { DEPOSIT_METHOD_IDS, DEPOSIT_METHODS } from './deposits.ts';

/** Names of the company's own ledger accounts on screen. */
const NAMES: Readonly<Record<string, string>> = {
  payroll_funding: 'Payroll funding',
  payout_clearing: 'Payout clearing',
  bill_clearing: 'Bill clearing',
  payouts_in_transit: 'Payouts in transit',
  account_verification: 'Account verification',
  ...Object.fromEntries(
    DEPOSIT_METHOD_IDS.map((method) => [
      `deposit_clearing:${method}`,
      `Deposit clearing, ${DEPOSIT_METHODS[method].name}`,
    ]),
  ),
};

/** An account that no module opens is called by its code. */
export function systemAccountName(code: string): string {
  return NAMES[code] ?? code;
}
