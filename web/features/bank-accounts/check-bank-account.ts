import {
  ACCOUNT_NUMBER_PATTERN,
  isRoutingNumber,
  type BankAccountType,
} from '#contract/bank-accounts.ts';
import type { Problems } from '#web/lib/form.ts';

/** A bank account as it is being typed. */
export interface BankAccountValues {
  bankName: string;
  accountType: BankAccountType | '';
  accountNumber: string;
  routingNumber: string;
  accountHolderName: string;
}

export const BANK_ACCOUNT_FIELDS = [
  'bankName',
  'accountType',
  'accountNumber',
  'routingNumber',
  'accountHolderName',
] as const;

const MISSING = 'Please fill in all required fields';

/** People copy numbers with the spaces and dashes that papers print in them. */
export function digitsOf(typed: string): string {
  return typed.replaceAll(/[\s-]/g, '');
}

/** What is wrong with a routing number that was typed; nothing while it is empty. */
export function routingNumberProblem(typed: string): string | undefined {
  const digits = digitsOf(typed);
  if (digits === '' || isRoutingNumber(digits)) return undefined;
  return 'Enter a valid 9-digit routing number';
}

/** @param keepsNumber an account being changed may keep its number: then an empty one is right */
export function checkBankAccount(
  values: BankAccountValues,
  { keepsNumber }: { keepsNumber: boolean },
): Problems<BankAccountValues> {
  const problems: Problems<BankAccountValues> = {};
  const accountNumber = digitsOf(values.accountNumber);
  if (accountNumber !== '' && !ACCOUNT_NUMBER_PATTERN.test(accountNumber)) {
    problems.accountNumber = 'Enter an account number of 4 to 17 digits';
  }
  const routing = routingNumberProblem(values.routingNumber);
  if (routing !== undefined) problems.routingNumber = routing;
  for (const name of BANK_ACCOUNT_FIELDS) {
    const mayBeEmpty = name === 'accountNumber' && keepsNumber;
    if (values[name].trim() === '' && !mayBeEmpty) problems[name] = MISSING;
  }
  return problems;
}
