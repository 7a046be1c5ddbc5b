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
  routingNumber: string;
  accountHolderName: string;
}

/** What is wrong with a routing number that was typed; nothing while it is empty. */
export function routingNumberProblem(typed: string): string | undefined {
  return problemUnlessEmpty(bankAccountRules.routingNumber, typed);
}

/** What is said over the problems, where something was not filled in and otherwise. */
export function bankAccountSummary(values: BankAccountValues, keepsNumber: boolean): string {
  const { accountNumber, ...others } = values;
  const needed = [...Object.values(others), ...(keepsNumber ? [] : [accountNumber])];
  return needed.some((value) => value.trim() === '') ? MISSING : 'Please check the bank account';
}

/** @param keepsNumber an account being changed may keep its number: then an empty one is right */
export function checkBankAccount(
  values: BankAccountValues,
  { keepsNumber }: { keepsNumber: boolean },
): Problems<BankAccountValues> {
  const { accountNumber, ...others } = checkRules(values, bankAccountRules);
  const mayBeEmpty = keepsNumber && values.accountNumber.trim() === '';
  return {
    ...others,
    ...(accountNumber !== undefined && !mayBeEmpty && { accountNumber }),
    ...(values.accountType === '' && { accountType: ACCOUNT_TYPE_MISSING }),
  };
}
