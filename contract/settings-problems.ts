/**
 * Faults that only several settings together have. What a single setting has to say is with it (settings.ts). The server
 * refuses by them, and the screen shows them at the fields. Free of zod.
 */
import { ACCOUNT_FORMAT_OF, accountProblems, ACCOUNTS } from './account-formats.ts';
import type { AccountNumbers } from './account-formats.ts';
import { errorSentence } from './errors.ts';
import type { Currency } from './money.ts';
import { MISSING } from './rules.ts';
import type { SettingName, SettingValues } from './settings.ts';

/** Faults of settings together, by the one that has to change. */
export function settingsProblems(
  values: Pick<
    SettingValues,
    | 'currency'
    | 'joinPolicy'
    | 'joinDomains'
    | 'receivingBankName'
    | 'receivingBankAddress'
    | 'receivingRoutingNumber'
    | 'receivingAccountNumber'
    | 'payrollFrequency'
    | 'payrollFirstPayday'
    | 'payoutFormat'
    | 'bankAccountProof'
    | 'payoutBankName'
    | 'payoutRoutingNumber'
    | 'payoutAccountNumber'
    | 'payoutCompanyId'
  >,
): Partial<Record<SettingName, string>> {
  const { joinPolicy, joinDomains, receivingBankName, receivingBankAddress } = values;
  const { payrollFrequency, payrollFirstPayday } = values;
  const { payoutBankName, payoutCompanyId, currency } = values;
  return {
    ...(values.payoutFormat !== 'none' && {
      ...(payoutBankName === '' && { payoutBankName: 'Enter the bank’s name' }),
      ...payingAccountProblems(values),
      ...(payoutCompanyId === '' &&
        currency === 'USD' && { payoutCompanyId: 'Enter the company ID' }),
    }),
    ...(values.payoutFormat === 'nacha' &&
      currency !== 'USD' && { payoutFormat: errorSentence('nacha_in_dollars') }),
    ...(values.bankAccountProof !== 'none' &&
      values.payoutFormat !== 'nacha' && {
        bankAccountProof: 'Prenotes and micro-deposits need payout files in the format NACHA ACH',
      }),
    ...(joinPolicy === 'domains' && joinDomains.length === 0 && { joinDomains: MISSING }),
    ...(payrollFrequency === 'biweekly' &&
      payrollFirstPayday === '' && { payrollFirstPayday: 'Enter the first payday' }),
    ...(receivingBankName !== '' &&
      receivingBankAddress === '' && { receivingBankAddress: 'Enter the bank’s address' }),
    ...(receivingBankAddress !== '' &&
      receivingBankName === '' && { receivingBankName: 'Enter the bank’s name' }),
    ...receivingAccountProblems(values),
  };
}

/** Faults of the company's account that payout files leave, in the format of its currency. */
export function payingAccountProblems({
  currency,
  payoutRoutingNumber,
  payoutAccountNumber: accountNumber,
}: Pick<SettingValues, 'currency' | 'payoutRoutingNumber' | 'payoutAccountNumber'>): Partial<
  Record<'payoutRoutingNumber' | 'payoutAccountNumber', string>
> {
  const numbers = { routingNumber: payoutRoutingNumber, accountNumber };
  const problems = ownAccountProblems(currency, numbers);
  return {
    ...(problems.routingNumber !== undefined && { payoutRoutingNumber: problems.routingNumber }),
    ...(problems.accountNumber !== undefined && { payoutAccountNumber: problems.accountNumber }),
  };
}

/** Faults of the account that deposits are sent to, in the format of the currency; none while no number is entered. */
function receivingAccountProblems({
  currency,
  receivingRoutingNumber: routingNumber,
  receivingAccountNumber: accountNumber,
}: Pick<SettingValues, 'currency' | 'receivingRoutingNumber' | 'receivingAccountNumber'>): Partial<
  Record<'receivingRoutingNumber' | 'receivingAccountNumber', string>
> {
  const numbers = usedNumbers(currency, { routingNumber, accountNumber });
  if (numbers.routingNumber === '' && numbers.accountNumber === '') return {};
  const problems = ownAccountProblems(currency, numbers);
  return {
    ...(problems.routingNumber !== undefined && { receivingRoutingNumber: problems.routingNumber }),
    ...(problems.accountNumber !== undefined && { receivingAccountNumber: problems.accountNumber }),
  };
}

function ownAccountProblems(currency: Currency, numbers: AccountNumbers) {
  return accountProblems(ACCOUNT_FORMAT_OF[currency], usedNumbers(currency, numbers));
}

/** The numbers of an account of the company. A routing number that a company in euros has left over is not used. */
function usedNumbers(
  currency: Currency,
  { routingNumber, accountNumber }: AccountNumbers,
): AccountNumbers {
  const hasRouting = ACCOUNTS[ACCOUNT_FORMAT_OF[currency]].routing !== null;
  return { routingNumber: hasRouting ? routingNumber : '', accountNumber };
}
