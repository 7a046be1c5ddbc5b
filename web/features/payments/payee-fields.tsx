import type { Payee } from '#contract/api.ts';
import {
  ACCOUNT_FORMAT_OF,
  accountFormatOf,
  ACCOUNTS,
  type AccountFormat,
} from '#contract/account-formats.ts';
import { ACCOUNT_TYPE_LABELS, BANK_ACCOUNT_TYPES } from '#contract/bank-accounts.ts';
import { PAYEE_KIND_LABELS, PAYEE_KINDS } from '#contract/bills.ts';
import type { FormFields } from '#web/kit/form-state.ts';
import { useCompany } from '#web/lib/company.ts';
import { Select } from '#web/ui/select.tsx';
import { TextField } from '#web/ui/text-field.tsx';
import { payeeProblems, type BillValues } from './check-bill.ts';

/** Bank details of a payee outside. */
export type PayeeValues = Pick<
  BillValues,
  'name' | 'kind' | 'routingNumber' | 'accountNumber' | 'accountType' | 'customerNumber'
>;

/** A payee outside, who has an account. */
export type OutsidePayee = Payee & { account: NonNullable<Payee['account']> };

const KINDS = PAYEE_KINDS.map((value) => ({ value, label: PAYEE_KIND_LABELS[value] }));
const TYPES = BANK_ACCOUNT_TYPES.map((value) => ({ value, label: ACCOUNT_TYPE_LABELS[value] }));

interface PayeeFieldsProps {
  fields: FormFields<PayeeValues>;
  /** Account whose number stays where none is typed. */
  kept?: NonNullable<Payee['account']> | undefined;
}

/** The fields of a payee outside. */
export function PayeeFields({ fields, kept }: PayeeFieldsProps) {
  const { currency } = useCompany();
  const format = ACCOUNT_FORMAT_OF[currency];
  const { routing, number, hasTypes } = ACCOUNTS[format];
  const keptLast4 = kept !== undefined && accountFormatOf(kept) === format ? kept.last4 : undefined;
  return (
    <>
      <div className="form__row">
        <TextField label="Payee Name" isRequired autoComplete="off" {...fields.name} />
        <Select label="The payee is" isRequired options={KINDS} {...fields.kind} />
      </div>
      <div className="form__row">
        {routing !== null && (
          <TextField
            label={routing.label}
            isRequired
            inputMode="numeric"
            autoComplete="off"
            hint={hasTypes ? 'On the bill, or at the bottom left of a check.' : 'On the bill.'}
            {...fields.routingNumber}
          />
        )}
        <TextField
          label={number.label}
          isRequired={keptLast4 === undefined}
          inputMode={number.inputMode}
          autoComplete="off"
          hint={
            keptLast4 === undefined
              ? number.hint
              : `Leave empty to keep the one ending in ${keptLast4}.`
          }
          {...fields.accountNumber}
        />
      </div>
      <div className="form__row">
        {hasTypes && (
          <Select label="Account Type" isRequired options={TYPES} {...fields.accountType} />
        )}
        <TextField
          label="Your customer number"
          optional
          autoComplete="off"
          {...fields.customerNumber}
        />
      </div>
    </>
  );
}

/**
 * Values of a payee whose details are changed. Numbers that are not those of the company's currency do not stay, so that
 * they are typed again.
 */
export function payeeValues(
  { name, kind, account }: OutsidePayee,
  format: AccountFormat,
): PayeeValues {
  const { routingNumber, type: accountType, customerNumber } = account;
  return {
    name,
    kind: kind === 'colleague' ? 'business' : kind,
    accountNumber: '',
    routingNumber: accountFormatOf(account) === format ? routingNumber : '',
    accountType,
    customerNumber,
  };
}

/** Faults of changed details of a payee. Without a number, the one that it has stays if it is of the right format. */
export function changeProblems(
  values: PayeeValues,
  { account }: OutsidePayee,
  format: AccountFormat,
) {
  return payeeProblems(values, { format, keepsNumber: accountFormatOf(account) === format });
}

/** The details as they are sent. */
export function payeeChange({ accountNumber, ...others }: PayeeValues, format: AccountFormat) {
  const number = ACCOUNTS[format].number.rule.clean(accountNumber);
  return number === '' ? others : { ...others, accountNumber: number };
}
