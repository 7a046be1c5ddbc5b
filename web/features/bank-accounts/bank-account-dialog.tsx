import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useForm, type UseFormReturn } from 'react-hook-form';
import type { BankAccount } from '#contract/api.ts';
import { BANK_ACCOUNT_TYPES, isRoutingNumber } from '#contract/bank-accounts.ts';
import { ApiError } from '#web/api/client.ts';
import { showProblem } from '#web/api/form-problem.ts';
import { apiQuery } from '#web/api/query.ts';
import { FORM_MODES, checkedBy, useField, useFormProblems } from '#web/lib/form.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { FormSummary } from '#web/ui/form-summary.tsx';
import { Select } from '#web/ui/select.tsx';
import { TextField } from '#web/ui/text-field.tsx';
import { ACCOUNT_TYPE_LABELS } from './bank-label.ts';
import {
  BANK_ACCOUNT_FIELDS,
  checkBankAccount,
  digitsOf,
  routingNumberProblem,
  type BankAccountValues,
} from './check-bank-account.ts';
import { useSaveBankAccount } from './use-save-bank-account.ts';

interface BankAccountDialogProps {
  title: string;
  /** The account to change; a new one is added without it. */
  account?: BankAccount | undefined;
  onClose: () => void;
  /** It is saved and waits for verification. */
  onSaved: (account: BankAccount) => void;
}

const TYPES = BANK_ACCOUNT_TYPES.map((value) => ({ value, label: ACCOUNT_TYPE_LABELS[value] }));

function initialValues(account: BankAccount | undefined): BankAccountValues {
  return {
    bankName: account?.bankName ?? '',
    accountType: account?.accountType ?? '',
    accountNumber: '',
    routingNumber: account?.routingNumber ?? '',
    accountHolderName: account?.accountHolderName ?? '',
  };
}

/** The form of a bank account. Shown while it is mounted; what is typed is kept nowhere. */
export function BankAccountDialog({ title, account, onClose, onSaved }: BankAccountDialogProps) {
  const isChange = account !== undefined;
  const form = useForm<BankAccountValues>({
    ...FORM_MODES,
    shouldFocusError: false, // the summary takes the focus
    resolver: checkedBy((values) => checkBankAccount(values, { keepsNumber: isChange })),
    defaultValues: initialValues(account),
  });
  const bankName = useField(form, 'bankName');
  const accountType = useField(form, 'accountType');
  const accountNumber = useField(form, 'accountNumber');
  const holderName = useField(form, 'accountHolderName');
  const { problems, attempt } = useFormProblems(form, BANK_ACCOUNT_FIELDS);
  const { suggestedBank, field: routingNumber } = useRoutingNumber(form);

  const save = useSaveBankAccount(account?.id, {
    onSaved: (saved) => {
      onClose();
      onSaved(saved);
    },
    onRefused: (error) => {
      if (error instanceof ApiError && error.problem.code === 'bank_account_exists') {
        form.setError('accountNumber', { type: 'server', message: error.message });
        return true;
      }
      return showProblem(form, BANK_ACCOUNT_FIELDS, error);
    },
  });

  return (
    <Dialog
      title={title}
      isOpen
      onClose={onClose}
      onSubmit={() => {
        if (!save.isPending) void form.handleSubmit((values) => save.mutate(values))();
      }}
      actions={
        <>
          <Button onPress={onClose}>Cancel</Button>
          <Button kind="solid" type="submit" isPending={save.isPending} pendingLabel="Saving">
            {isChange ? 'Update Bank Account' : 'Add Bank Account'}
          </Button>
        </>
      }
    >
      <div className="form">
        <FormSummary title="Please check the bank account" problems={problems} attempt={attempt} />
        {isChange && <p className="muted">Changes will require re-verification.</p>}
        <TextField
          label="Bank Name"
          isRequired
          autoComplete="off"
          aside={
            suggestedBank !== null &&
            suggestedBank !== bankName.value && (
              <button
                type="button"
                className="link"
                onClick={() => bankName.onChange(suggestedBank)}
              >
                Use {suggestedBank}
              </button>
            )
          }
          {...bankName}
        />
        <Select
          label="Account Type"
          isRequired
          options={TYPES}
          placeholder="Checking or Savings"
          {...accountType}
        />
        <div className="form__row">
          <TextField
            label="Account Number"
            isRequired={!isChange}
            autoComplete="off"
            inputMode="numeric"
            hint={
              isChange
                ? `Leave empty to keep the one ending in ${account.accountNumberLast4}.`
                : undefined
            }
            {...accountNumber}
          />
          <TextField
            label="Routing Number"
            isRequired
            autoComplete="off"
            inputMode="numeric"
            placeholder="9-digit routing number"
            {...routingNumber}
          />
        </div>
        <TextField label="Account Holder Name" isRequired autoComplete="name" {...holderName} />
      </div>
    </Dialog>
  );
}

/**
 * The routing number's field: its check digit is checked on leaving it, and the bank is suggested
 * if the number is known.
 */
function useRoutingNumber(form: UseFormReturn<BankAccountValues>) {
  const field = useField(form, 'routingNumber');
  const [left, setLeft] = useState('');
  const isRight = isRoutingNumber(left);
  const lookUp = useQuery({
    ...apiQuery('lookUpRoutingNumber', { params: { routingNumber: left } }),
    enabled: isRight,
    staleTime: Infinity,
  });
  return {
    suggestedBank: isRight ? (lookUp.data?.bankName ?? null) : null,
    field: {
      ...field,
      onBlur: () => {
        field.onBlur();
        const typed = form.getValues('routingNumber');
        const message = routingNumberProblem(typed);
        if (message !== undefined) form.setError('routingNumber', { type: 'check', message });
        setLeft(digitsOf(typed));
      },
    },
  };
}
