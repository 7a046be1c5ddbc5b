import { ACCOUNT_TYPE_LABELS, BANK_ACCOUNT_TYPES } from '#contract/bank-accounts.ts';
import { PAYEE_KIND_LABELS, PAYEE_KINDS } from '#contract/bills.ts';
import type { FormFields } from '#web/kit/form-state.ts';
import { Select } from '#web/ui/select.tsx';
import { TextField } from '#web/ui/text-field.tsx';
import type { BillValues } from './check-bill.ts';

/** Bank details of a payee outside. */
export type PayeeValues = Pick<
  BillValues,
  'name' | 'kind' | 'routingNumber' | 'accountNumber' | 'accountType' | 'customerNumber'
>;

const KINDS = PAYEE_KINDS.map((value) => ({ value, label: PAYEE_KIND_LABELS[value] }));
const TYPES = BANK_ACCOUNT_TYPES.map((value) => ({ value, label: ACCOUNT_TYPE_LABELS[value] }));

interface PayeeFieldsProps {
  fields: FormFields<PayeeValues>;
  /** The last digits of the number that stays where none is typed. */
  keptLast4?: string | undefined;
}

/** The fields of a payee outside. */
export function PayeeFields({ fields, keptLast4 }: PayeeFieldsProps) {
  return (
    <>
      <div className="form__row">
        <TextField label="Payee Name" isRequired autoComplete="off" {...fields.name} />
        <Select label="The payee is" isRequired options={KINDS} {...fields.kind} />
      </div>
      <div className="form__row">
        <TextField
          label="Routing Number"
          isRequired
          inputMode="numeric"
          autoComplete="off"
          hint="On the bill, or at the bottom left of a check."
          {...fields.routingNumber}
        />
        <TextField
          label="Account Number"
          isRequired={keptLast4 === undefined}
          inputMode="numeric"
          autoComplete="off"
          hint={
            keptLast4 === undefined
              ? undefined
              : `Leave empty to keep the one ending in ${keptLast4}.`
          }
          {...fields.accountNumber}
        />
      </div>
      <div className="form__row">
        <Select label="Account Type" isRequired options={TYPES} {...fields.accountType} />
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
