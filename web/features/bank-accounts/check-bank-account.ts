import {
  ACCOUNT_TYPE_MISSING,
  bankAccountRules,
  type BankAccountType,
} from '#contract/bank-accounts.ts';
import { MISSING, problemUnlessEmpty } from '#contract/rules.ts';
import { checkRules } from '#web/kit/form-state.ts';
import type { Problems } from '#web/lib/form.ts';

/** A bank account as it is being typed. */
export interface BankAccountValues {
  bankName: string;
  accountType: BankAccountType | '';
  accountNumber: string;
  /** The same, typed a second time: nothing else finds a wrong digit of an account number. */
  accountNumberAgain: string;
  routingNumber: string;
  accountHolderName: string;
}

/** Fault of a typed routing number; nothing while it is empty. */
export function routingNumberProblem(typed: string): string | undefined {
  return problemUnlessEmpty(bankAccountRules.routingNumber, typed);
}

/** Sentence over the problems, where something was not filled in and otherwise. */
export function bankAccountSummary(values: BankAccountValues, keepsNumber: boolean): string {
  const { accountNumber, accountNumberAgain, ...others } = values;
  const isKept = keepsNumber && accountNumber.trim() === '';
  const needed = [...Object.values(others), ...(isKept ? [] : [accountNumber, accountNumberAgain])];
  return needed.some((value) => value.trim() === '') ? MISSING : 'Please check the bank account';
}

/** @param keepsNumber an account being changed may keep its number: then an empty one is right */
export function checkBankAccount(
  values: BankAccountValues,
  { keepsNumber }: { keepsNumber: boolean },
): Problems<BankAccountValues> {
  const { accountNumber, ...others } = checkRules(values, bankAccountRules);
  const isKept = keepsNumber && values.accountNumber.trim() === '';
  const again = isKept
    ? undefined
    : repeatProblem(values, { isRight: accountNumber === undefined });
  return {
    ...others,
    accountNumber: isKept ? undefined : accountNumber,
    accountNumberAgain: again,
    accountType: values.accountType === '' ? ACCOUNT_TYPE_MISSING : undefined,
  };
}

/** @param isRight the first one is an account number: a wrong one is said there alone */
function repeatProblem(
  { accountNumber, accountNumberAgain }: BankAccountValues,
  { isRight }: { isRight: boolean },
): string | undefined {
  const { clean } = bankAccountRules.accountNumber;
  if (accountNumberAgain.trim() === '') return 'Enter the account number again';
  return !isRight || clean(accountNumber) === clean(accountNumberAgain)
    ? undefined
    : 'The account numbers are not the same. Please check both.';
}
