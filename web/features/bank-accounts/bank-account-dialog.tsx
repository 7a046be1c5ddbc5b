import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { BankAccount, RouteInput } from '#contract/api.ts';
import {
  ACCOUNT_FORMAT_OF,
  accountFormatOf,
  ACCOUNTS,
  isRoutingNumber,
  type AccountFormat,
} from '#contract/account-formats.ts';
import { ACCOUNT_TYPE_LABELS, BANK_ACCOUNT_TYPES } from '#contract/bank-accounts.ts';
import { fullName } from '#contract/person-name.ts';
import { ApiError, call } from '#web/api/client.ts';
import { apiQuery } from '#web/api/query.ts';
import { FormDialog } from '#web/kit/form-dialog.tsx';
import { useFormState, type FormState } from '#web/kit/form-state.ts';
import { useFormTask } from '#web/kit/use-form-task.ts';
import { useCompany } from '#web/lib/company.ts';
import { Select } from '#web/ui/select.tsx';
import { TextField } from '#web/ui/text-field.tsx';
import { TextButton } from '#web/ui/text-button.tsx';
import { toast } from '#web/ui/toast-queue.ts';
import {
  checkBankAccount,
  routingNumberProblem,
  bankAccountSummary,
  type BankAccountValues,
} from './check-bank-account.ts';

interface BankAccountDialogProps {
  title: string;
  /** The account to change; a new one is added without it. */
  account?: BankAccount | undefined;
  /** The person who left and whose account an admin enters; without it, the account is the user's own. */
  enteredFor?: { id: string; name: string } | undefined;
  onClose: () => void;
  /** It is saved and waits for verification. */
  onSaved: (account: BankAccount) => void;
}

const TYPES = BANK_ACCOUNT_TYPES.map((value) => ({ value, label: ACCOUNT_TYPE_LABELS[value] }));

/** @param keepsNumbers false for an account of another format than the company's, whose numbers do not stay */
function initialValues(
  account: BankAccount | undefined,
  { holder, keepsNumbers }: { holder: string; keepsNumbers: boolean },
): BankAccountValues {
  return {
    bankName: account?.bankName ?? '',
    accountType: account?.accountType ?? '',
    accountNumber: '',
    accountNumberAgain: '',
    routingNumber: keepsNumbers ? (account?.routingNumber ?? '') : '',
    accountHolderName: account?.accountHolderName ?? holder,
  };
}

/** The form of a bank account. Shown while it is mounted; what is typed is kept nowhere. */
export function BankAccountDialog({
  title,
  account,
  enteredFor,
  onClose,
  onSaved,
}: BankAccountDialogProps) {
  const queryClient = useQueryClient();
  const isChange = account !== undefined;
  const { currency } = useCompany();
  const format = ACCOUNT_FORMAT_OF[currency];
  const { routing, number, hasTypes } = ACCOUNTS[format];
  const keepsNumber = account !== undefined && accountFormatOf(account) === format;
  const user = queryClient.getQueryData(apiQuery('getSession', {}).queryKey)?.user ?? null;
  const state = useFormState<BankAccountValues>({
    initial: initialValues(account, {
      holder: enteredFor?.name ?? (user === null ? '' : fullName(user)),
      keepsNumbers: keepsNumber,
    }),
    check: (values) => checkBankAccount(values, { format, keepsNumber }),
  });
  const { suggestedBank, field: routingNumber } = useRoutingNumber(state, format);
  const task = useFormTask(state, {
    send: (values: BankAccountValues) =>
      save(values, { format, id: account?.id, personId: enteredFor?.id }),
    places: { bank_account_exists: 'accountNumber' },
    topics: ['bank-accounts'],
    onFailed: (error) =>
      toast({
        title: isChange
          ? 'Failed to update bank account'
          : 'Failed to add bank account. Please try again.',
        message: error instanceof ApiError ? error.message : undefined,
        tone: 'critical',
      }),
    onDone: (saved) => {
      onClose();
      onSaved(saved);
    },
  });

  return (
    <FormDialog
      title={title}
      state={state}
      task={task}
      summary={bankAccountSummary(state.form.getValues(), { format, keepsNumber })}
      submit={{
        label: labelOf({ isChange, isEntered: enteredFor !== undefined }),
        pending: 'Saving',
      }}
      onClose={onClose}
    >
      {({ bankName, accountType, accountNumber, accountNumberAgain, accountHolderName }) => (
        <>
          {isChange && <p className="muted">Changes will require re-verification.</p>}
          {enteredFor !== undefined && (
            <p className="muted">Another administrator has to verify it before money can leave.</p>
          )}
          <TextField
            label="Bank Name"
            isRequired
            autoComplete="off"
            aside={
              suggestedBank !== null &&
              suggestedBank !== bankName.value && (
                <TextButton onPress={() => bankName.onChange(suggestedBank)}>
                  Use {suggestedBank}
                </TextButton>
              )
            }
            {...bankName}
          />
          {hasTypes && (
            <Select
              label="Account Type"
              isRequired
              options={TYPES}
              placeholder="Checking or Savings"
              {...accountType}
            />
          )}
          {routing !== null && (
            <TextField
              label={routing.label}
              isRequired
              autoComplete="off"
              inputMode="numeric"
              placeholder={routing.placeholder}
              {...routingNumber}
            />
          )}
          <div className={number.isTypedTwice ? 'form__row' : undefined}>
            <TextField
              label={number.label}
              isRequired={!keepsNumber}
              autoComplete="off"
              inputMode={number.inputMode}
              hint={
                keepsNumber
                  ? `Leave empty to keep the one ending in ${account.accountNumberLast4}.`
                  : number.hint
              }
              {...accountNumber}
            />
            {number.isTypedTwice && (
              <TextField
                label={`Repeat ${number.label}`}
                isRequired={!keepsNumber}
                autoComplete="off"
                inputMode={number.inputMode}
                {...accountNumberAgain}
              />
            )}
          </div>
          <TextField
            label="Account Holder Name"
            isRequired
            autoComplete="name"
            {...accountHolderName}
          />
        </>
      )}
    </FormDialog>
  );
}

function labelOf({ isChange, isEntered }: { isChange: boolean; isEntered: boolean }): string {
  if (isEntered) return 'Enter Bank Account';
  return isChange ? 'Update Bank Account' : 'Add Bank Account';
}

/**
 * Adds a bank account, to the caller's own or to those of a person who left, or changes the one with that
 * id: without a new number the old one stays.
 */
function save(
  { accountNumber, accountNumberAgain: _, ...values }: BankAccountValues,
  {
    format,
    id,
    personId,
  }: { format: AccountFormat; id: string | undefined; personId: string | undefined },
): Promise<BankAccount> {
  const { hasTypes, number } = ACCOUNTS[format];
  const { accountType: chosen, ...others } = values;
  // Payments of other formats have no type.
  const accountType = hasTypes ? chosen : 'checking';
  if (accountType === '') throw new Error('Saved a bank account without a type');
  const body: RouteInput<'addBankAccount'>['body'] = { ...others, accountType, accountNumber };
  if (personId !== undefined) {
    return call('adminEnterBankAccount', { params: { id: personId }, body });
  }
  if (id === undefined) return call('addBankAccount', { body });
  const keepsNumber = number.rule.clean(accountNumber) === '';
  const change = keepsNumber ? { ...others, accountType } : body;
  return call('updateBankAccount', { params: { id }, body: change });
}

/**
 * The field of the routing number or sort code, which is checked on leaving it. The bank is suggested if a routing number is
 * known.
 */
function useRoutingNumber({ form, fields }: FormState<BankAccountValues>, format: AccountFormat) {
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
      ...fields.routingNumber,
      onBlur: () => {
        fields.routingNumber.onBlur();
        const typed = form.getValues('routingNumber');
        const message = routingNumberProblem(typed, format);
        if (message !== undefined) form.setError('routingNumber', { type: 'check', message });
        setLeft(ACCOUNTS[format].routing?.rule.clean(typed) ?? '');
      },
    },
  };
}
