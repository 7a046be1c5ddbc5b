import { ACCOUNTS, type AccountFormat } from '#contract/account-formats.ts';
import {
  ACCOUNT_TYPE_MISSING,
  bankAccountRules,
  type BankAccountType,
} from '#contract/bank-accounts.ts';
import { MISSING, problemOf, problemUnlessEmpty } from '#contract/rules.ts';
import { checkRules } from '#web/kit/form-state.ts';
import type { Problems } from '#web/lib/form.ts';

/** A bank account as it is being typed. What its format does not have stays empty. */
export interface BankAccountValues {
  bankName: string;
  accountType: BankAccountType | '';
  accountNumber: string;
  /** The same, typed a second time: nothing else finds a wrong digit of an account number. */
  accountNumberAgain: string;
  routingNumber: string;
  accountHolderName: string;
}

interface Checked {
  format: AccountFormat;
  /** An account being changed may keep its number: then an empty one is right. */
  keepsNumber: boolean;
}

/** Fault of a typed routing number or sort code; nothing while it is empty, or the format has none. */
export function routingNumberProblem(typed: string, format: AccountFormat): string | undefined {
  const { routing } = ACCOUNTS[format];
  return routing === null ? undefined : problemUnlessEmpty(routing.rule, typed);
}

/** Sentence over the problems, where something was not filled in and otherwise. */
export function bankAccountSummary(values: BankAccountValues, checked: Checked): string {
  const { routing, number, hasTypes } = ACCOUNTS[checked.format];
  const { bankName, accountHolderName, accountNumber } = values;
  const isKept = checked.keepsNumber && accountNumber.trim() === '';
  const needed = [
    bankName,
    accountHolderName,
    ...(hasTypes ? [values.accountType] : []),
    ...(routing === null ? [] : [values.routingNumber]),
    ...(isKept ? [] : [accountNumber]),
    ...(isKept || !number.isTypedTwice ? [] : [values.accountNumberAgain]),
  ];
  return needed.some((value) => value.trim() === '') ? MISSING : 'Please check the bank account';
}

export function checkBankAccount(
  values: BankAccountValues,
  { format, keepsNumber }: Checked,
): Problems<BankAccountValues> {
  const { routing, number, hasTypes } = ACCOUNTS[format];
  const isKept = keepsNumber && values.accountNumber.trim() === '';
  const accountNumber = isKept ? undefined : problemOf(number.rule, values.accountNumber);
  return {
    ...checkRules(values, bankAccountRules),
    routingNumber: routing === null ? undefined : problemOf(routing.rule, values.routingNumber),
    accountNumber,
    accountNumberAgain:
      isKept || !number.isTypedTwice
        ? undefined
        : repeatProblem(values, { format, isRight: accountNumber === undefined }),
    accountType: hasTypes && values.accountType === '' ? ACCOUNT_TYPE_MISSING : undefined,
  };
}

/** @param isRight the first one is an account number: a wrong one is said there alone */
function repeatProblem(
  { accountNumber, accountNumberAgain }: BankAccountValues,
  { format, isRight }: { format: AccountFormat; isRight: boolean },
): string | undefined {
  const { clean } = ACCOUNTS[format].number.rule;
  if (accountNumberAgain.trim() === '') return 'Enter the account number again';
  return !isRight || clean(accountNumber) === clean(accountNumberAgain)
    ? undefined
    : 'The account numbers are not the same. Please check both.';
}
