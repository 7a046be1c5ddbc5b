/**
 * Numbers of bank accounts, declared once for each currency: how they are checked, called, typed and shown. A US account has
 * a routing number, a British one a sort code, and both have an account number; an account in euros has an IBAN alone.
 * The routing number or sort code of an account says which of these it is: nine digits, six, or none.
 */
import { ACCOUNT_TYPE_LABELS } from './bank-accounts.ts';
import type { BankAccountType } from './bank-accounts.ts';
import { IBAN_MAX_LENGTH, ibanProblem, isOfSepa } from './iban.ts';
import type { Currency } from './money.ts';
import { numberText, printedNumber } from './rules.ts';
import type { TextRule } from './rules.ts';

export const ACCOUNT_FORMATS = ['aba', 'sort_code', 'iban'] as const;
export type AccountFormat = (typeof ACCOUNT_FORMATS)[number];

/** Format of the accounts that a company pays to and from, by its currency. */
export const ACCOUNT_FORMAT_OF: Readonly<Record<Currency, AccountFormat>> = {
  USD: 'aba',
  EUR: 'iban',
  GBP: 'sort_code',
};

/** Numbers of an account. */
export interface AccountNumbers {
  /** Nine digits, a sort code of six, or empty next to an IBAN. */
  routingNumber: string;
  accountNumber: string;
}

/**
 * True for nine digits whose ABA check digit is right:
 * 3(d1+d4+d7) + 7(d2+d5+d8) + (d3+d6+d9) is a multiple of 10 (ANSI X9.9; the Federal Reserve's
 * routing number rule).
 */
export function isRoutingNumber(text: string): boolean {
  if (!/^\d{9}$/.test(text) || text === '000000000') return false;
  const weights = [3, 7, 1];
  let sum = 0;
  for (let index = 0; index < text.length; index += 1) {
    sum += Number(text.charAt(index)) * (weights[index % 3] ?? 0);
  }
  return sum % 10 === 0;
}

/** One of the numbers of an account, as forms and lists show it. */
interface NumberField {
  readonly rule: TextRule;
  /** Label of its field. */
  readonly label: string;
  /** Name inside a sentence. */
  readonly name: string;
  /** Name before it where there is little room. */
  readonly short: string;
  readonly placeholder?: string;
  readonly hint?: string;
  /** The whole number as it is read most easily. */
  readonly shown: (number: string) => string;
}

interface DeclaredFormat {
  /** Null: the account number says the bank. */
  readonly routing: NumberField | null;
  readonly number: NumberField & {
    /** True if nothing in the number shows a wrong digit, so that forms ask for it twice. */
    readonly isTypedTwice: boolean;
    readonly inputMode: 'numeric' | 'text';
  };
  /** True if a payment says whether the account is a checking or a savings account. */
  readonly hasTypes: boolean;
  /** The accounts of this format: "a routing number and an account number". */
  readonly needs: string;
}

const asIs = (number: string) => number;

export const routingNumberRule = printedNumber(
  9,
  isRoutingNumber,
  'Enter a valid 9-digit routing number',
  'Enter the routing number',
);

export const accountNumberRule = printedNumber(
  17,
  (digits) => /^\d{4,17}$/.test(digits),
  'Enter an account number of 4 to 17 digits',
  'Enter the account number',
);

const sortCodeRule = printedNumber(
  6,
  (digits) => /^(?!000000)\d{6}$/.test(digits),
  'Enter a sort code of 6 digits',
  'Enter the sort code',
);

/** An IBAN of whatever country. */
export const ibanRule: TextRule = {
  clean: (typed) => numberText(typed).replaceAll(/[\s-]/g, '').toUpperCase(),
  maxLength: IBAN_MAX_LENGTH,
  problem: (text) => (text === '' ? 'Enter the IBAN' : ibanProblem(text)),
};

export const ACCOUNTS: Readonly<Record<AccountFormat, DeclaredFormat>> = {
  aba: {
    routing: {
      rule: routingNumberRule,
      label: 'Routing Number',
      name: 'routing number',
      short: 'Routing',
      placeholder: '9-digit routing number',
      shown: (digits) => digits.replaceAll(/(\d{3})(?=\d)/g, '$1 '),
    },
    number: {
      rule: accountNumberRule,
      label: 'Account Number',
      name: 'account number',
      short: 'Account',
      shown: asIs,
      isTypedTwice: true,
      inputMode: 'numeric',
    },
    hasTypes: true,
    needs: 'a routing number and an account number',
  },
  sort_code: {
    routing: {
      rule: sortCodeRule,
      label: 'Sort Code',
      name: 'sort code',
      short: 'Sort code',
      placeholder: '12-34-56',
      shown: (digits) => digits.replaceAll(/(\d{2})(?=\d)/g, '$1-'),
    },
    number: {
      rule: printedNumber(
        8,
        (digits) => /^\d{8}$/.test(digits),
        'Enter an account number of 8 digits',
        'Enter the account number',
      ),
      label: 'Account Number',
      name: 'account number',
      short: 'Account',
      shown: asIs,
      hint: '8 digits. Put zeros in front of a shorter one.',
      isTypedTwice: true,
      inputMode: 'numeric',
    },
    hasTypes: false,
    needs: 'a sort code and an account number',
  },
  iban: {
    routing: null,
    number: {
      rule: {
        ...ibanRule,
        problem: (text) =>
          ibanRule.problem(text) ??
          (isOfSepa(text)
            ? undefined
            : `Payments in euros do not reach accounts whose IBAN begins with ${text.slice(0, 2)}`),
      },
      label: 'IBAN',
      name: 'IBAN',
      short: 'IBAN',
      shown: (text) => text.replaceAll(/(.{4})(?=.)/g, '$1 '),
      // Its check digits find a wrong one.
      isTypedTwice: false,
      inputMode: 'text',
    },
    hasTypes: false,
    needs: 'an IBAN',
  },
};

/** Format of an account, by its routing number or sort code. */
export function accountFormatOf({
  routingNumber,
}: Pick<AccountNumbers, 'routingNumber'>): AccountFormat {
  if (routingNumber === '') return 'iban';
  return routingNumber.length === 6 ? 'sort_code' : 'aba';
}

/** Declaration of an account, by its routing number or sort code. */
export function accountWords(account: Pick<AccountNumbers, 'routingNumber'>): DeclaredFormat {
  return ACCOUNTS[accountFormatOf(account)];
}

/** "Checking", of a US account; empty for others, which are paid without a type. */
export function accountTypeLabel(
  account: Pick<AccountNumbers, 'routingNumber'> & { accountType: BankAccountType },
): string {
  return accountWords(account).hasTypes ? ACCOUNT_TYPE_LABELS[account.accountType] : '';
}

/** Faults of the numbers of an account in a format, by field. */
export function accountProblems(
  format: AccountFormat,
  { routingNumber, accountNumber }: AccountNumbers,
): { routingNumber?: string | undefined; accountNumber?: string | undefined } {
  const { routing, number } = ACCOUNTS[format];
  const extra = routingNumber === '' ? undefined : 'An IBAN has no routing number';
  return {
    routingNumber: routing === null ? extra : routing.rule.problem(routingNumber),
    accountNumber: number.rule.problem(accountNumber),
  };
}

/** Reason for which payout files of a company do not pay to an account; null if they do. */
export function formatRefusal(
  account: Pick<AccountNumbers, 'routingNumber'>,
  currency: Currency,
): string | null {
  const format = ACCOUNT_FORMAT_OF[currency];
  if (accountFormatOf(account) === format) return null;
  return `Payout files in ${currency} need ${ACCOUNTS[format].needs}, which this account does not have.`;
}

/** Name of a number before it, in a list of facts: "Routing number", "IBAN". */
export function factLabel({ name }: { readonly name: string }): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}

/*
 * Rules of the numbers of an account in some format. Which one it has to be depends on the company's currency, which the
 * server compares once it has read it (`accountProblems`).
 */

/** A routing number, a sort code, or nothing next to an IBAN. */
export const eitherRoutingRule: TextRule = {
  ...routingNumberRule,
  problem: (text) =>
    text === '' || sortCodeRule.problem(text) === undefined
      ? undefined
      : routingNumberRule.problem(text),
};

/** An account number, or an IBAN of whatever country. */
export const eitherNumberRule: TextRule = {
  ...ibanRule,
  problem: (text) => (/^[A-Z]{2}\d/.test(text) ? ibanRule : accountNumberRule).problem(text),
};
