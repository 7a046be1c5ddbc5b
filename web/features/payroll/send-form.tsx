import type { PayrollPreview } from '#contract/api.ts';
import { DESCRIPTION_MAX_LENGTH } from '#contract/limits.ts';
import { Form } from '#web/kit/form.tsx';
import { DateField } from '#web/ui/date-field.tsx';
import { Facts } from '#web/ui/facts.tsx';
import { MoneyField } from '#web/ui/money-field.tsx';
import { RadioChoices } from '#web/ui/radio-choices.tsx';
import { Select } from '#web/ui/select.tsx';
import { TextField } from '#web/ui/text-field.tsx';
import type { PayrollForm } from './payroll-form.ts';
import { RECIPIENT_OPTIONS, WALLET_OPTIONS } from './words.ts';

const HOW_MUCH = [
  { value: 'same', label: 'Same amount for each' },
  { value: 'own', label: 'Each person’s own amount' },
] as const;

interface SendFormProps {
  /** Id of the form. Its submit button is in the preview. */
  id: string;
  payroll: PayrollForm;
  preview: PayrollPreview | undefined;
  /** Called if the values are right. */
  onSubmit: () => void;
}

/** Wallet type, recipients, amount and description of a payroll. */
export function SendForm({ id, payroll, preview, onSubmit }: SendFormProps) {
  const { state, currency, summaryTitle } = payroll;
  return (
    <Form
      id={id}
      state={state}
      task={{ submit: onSubmit, isPending: false }}
      summary={summaryTitle}
    >
      {({ walletType, department, amount, description, payOn, howMuch }) => (
        <>
          <DateField
            label="Pay date"
            optional
            hint="Left empty, it is paid as soon as it can no longer be stopped."
            {...payOn}
          />
          <Select
            label="Wallet Type"
            isRequired
            placeholder="Choose a wallet type"
            options={WALLET_OPTIONS}
            {...walletType}
          />
          <Select
            label="Department"
            isRequired
            placeholder="Choose a department"
            options={RECIPIENT_OPTIONS}
            {...department}
          />
          <TextField
            label="Description"
            isRequired
            maxLength={DESCRIPTION_MAX_LENGTH}
            hint="Shown to each employee with the transaction."
            {...description}
          />
          <RadioChoices label="How much" isRequired choices={HOW_MUCH} {...howMuch} />
          {!payroll.isOwn && (
            <MoneyField
              label="Amount"
              currency={currency}
              isRequired
              hint="Per employee"
              {...amount}
            />
          )}
          {preview !== undefined && (
            <Facts
              isTight
              facts={[
                { label: 'Batch', value: preview.batchName },
                { label: 'Pay period', value: preview.payPeriod },
              ]}
            />
          )}
        </>
      )}
    </Form>
  );
}
