import type { PayrollLine } from '#contract/api.ts';
import { negated, type Money as Amount } from '#contract/money.ts';
import {
  REVERSAL_REASON_IDS,
  REVERSAL_REASONS,
  reversalRules,
  type ReversalReason,
} from '#contract/payroll.ts';
import { MISSING } from '#contract/rules.ts';
import { checkRules, type FormFields } from '#web/kit/form-state.ts';
import { AmountHead } from '#web/ui/amount-head.tsx';
import { Select } from '#web/ui/select.tsx';
import { ShownAmounts } from '#web/ui/shown-amounts.tsx';
import { Status } from '#web/ui/status.tsx';
import { TextArea } from '#web/ui/text-area.tsx';

export interface ReversalValues {
  reason: ReversalReason | '';
  message: string;
}

const REASON_OPTIONS = REVERSAL_REASON_IDS.map((value) => ({
  value,
  label: REVERSAL_REASONS[value],
}));

export const NO_REVERSAL: ReversalValues = { reason: '', message: '' };

/** Reason of a reversal, and the words to those from whom it takes. */
export function ReversalFields({
  who,
  fields: { reason, message },
}: {
  who: 'employee' | 'employees';
  fields: FormFields<ReversalValues>;
}) {
  return (
    <>
      <Select
        label="Reason"
        isRequired
        placeholder="Choose a reason"
        options={REASON_OPTIONS}
        {...reason}
      />
      <TextArea
        label={`What to tell the ${who}`}
        isRequired
        rows={3}
        maxLength={reversalRules.message.maxLength}
        hint="Shown with the transaction and sent as a notice."
        {...message}
      />
    </>
  );
}

/** Problems of the fields of a reversal. */
export function checkReversal(values: ReversalValues) {
  return {
    ...checkRules(values, { message: reversalRules.message }),
    ...(values.reason === '' && { reason: MISSING }),
  };
}

/** Body of a request for a reversal whose fields were checked. */
export function reversalOf({ reason, message }: ReversalValues) {
  if (reason === '') throw new Error('Sent a reversal without a reason');
  return { reason, message };
}

/** Payment that is taken back, with its employee. */
export function ReversalHead({
  employee: { name, employeeId },
  amount,
}: {
  employee: PayrollLine['employee'];
  amount: Amount;
}) {
  return (
    <ShownAmounts>
      <AmountHead
        line={`From ${name}${employeeId === null ? '' : ` ${employeeId}`}`}
        amount={negated(amount)}
        status={<Status status="completed" />}
      />
    </ShownAmounts>
  );
}
