import { useState } from 'react';
import type { BankAccount, RouteReply } from '#contract/api.ts';
import { MOST_MICRO_DEPOSIT_MINOR } from '#contract/bank-accounts.ts';
import { formatMoney, money, readAmount, type Currency } from '#contract/money.ts';
import { call } from '#web/api/client.ts';
import { FormDialog } from '#web/kit/form-dialog.tsx';
import { useFormState } from '#web/kit/form-state.ts';
import { useFormTask } from '#web/kit/use-form-task.ts';
import { summaryTitle } from '#web/lib/form.ts';
import { MoneyField } from '#web/ui/money-field.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { toast } from '#web/ui/toast-queue.ts';
import { bankLabel } from './bank-label.ts';

/** An account that micro-deposits were sent to. */
export type ProvableAccount = BankAccount & {
  microDeposits: NonNullable<BankAccount['microDeposits']>;
};

interface EnterMicroDepositsProps {
  account: ProvableAccount;
  onClose: () => void;
}

interface Values {
  first: string;
  second: string;
}

const MISSING = 'Enter an amount';

/** Fault of a typed amount of a micro-deposit. */
function problemOf(typed: string, currency: Currency): string | undefined {
  if (typed.trim() === '') return MISSING;
  const minor = readAmount(typed, currency);
  const isAmount = minor !== null && minor <= BigInt(MOST_MICRO_DEPOSIT_MINOR);
  return isAmount
    ? undefined
    : `Enter an amount of less than ${formatMoney(money(100n, currency))}`;
}

/** The form for the amounts of both micro-deposits. Wrong ones use up a try, and it stays open. */
export function EnterMicroDeposits({ account, onClose }: EnterMicroDepositsProps) {
  const { under, triesLeft } = account.microDeposits;
  const { currency } = under;
  // As the last reply said it: the account is read again a moment later.
  const [missed, setMissed] = useState<number | null>(null);
  const left = missed ?? triesLeft;
  const state = useFormState<Values>({
    initial: { first: '', second: '' },
    check: ({ first, second }) => ({
      first: problemOf(first, currency),
      second: problemOf(second, currency),
    }),
  });
  const task = useFormTask(state, {
    send: ({ first, second }: Values, options) =>
      call(
        'enterMicroDeposits',
        {
          params: { id: account.id },
          body: { first: amountOf(first, currency), second: amountOf(second, currency) },
        },
        options,
      ),
    topics: ['bank-accounts'],
    onDone: ({ isRight, account: saved }: RouteReply<'enterMicroDeposits'>) => {
      const name = bankLabel(saved);
      if (isRight) {
        onClose();
        toast({
          title: 'Amounts Right',
          tone: 'positive',
          message: `An administrator verifies ${name} next.`,
        });
      } else if (saved.status === 'rejected') {
        onClose();
        toast({
          title: 'Bank Account Not Verified',
          tone: 'critical',
          message: saved.rejectionReason ?? undefined,
        });
      } else {
        setMissed(saved.microDeposits?.triesLeft ?? 0);
      }
    },
  });
  return (
    <FormDialog
      title="Enter the two amounts"
      size="reject"
      state={state}
      task={task}
      summary={summaryTitle(
        state.problems,
        { first: MISSING, second: MISSING },
        'Please check the amounts',
      )}
      submit={{ label: 'Check Amounts', pending: 'Checking' }}
      sent={{ what: 'your amounts', where: 'in Bank Details' }}
      onClose={onClose}
    >
      {({ first, second }) => (
        <>
          {missed !== null && (
            <Notice tone="critical" role="alert">
              These are not the amounts of the two deposits.
            </Notice>
          )}
          <p>
            Your company sent two deposits of less than {formatMoney(under)} each to{' '}
            {bankLabel(account)}. Enter both in any order, as your bank shows them.
          </p>
          <div className="form__row">
            <MoneyField
              label="First Amount"
              isRequired
              size="standard"
              currency={currency}
              {...first}
            />
            <MoneyField
              label="Second Amount"
              isRequired
              size="standard"
              currency={currency}
              {...second}
            />
          </div>
          <p className="meta" role="status">
            {left === 1
              ? 'This is the last try. After wrong amounts the account has to be entered again.'
              : `${left} tries left.`}
          </p>
        </>
      )}
    </FormDialog>
  );
}

function amountOf(typed: string, currency: Currency) {
  const minor = readAmount(typed, currency);
  if (minor === null) throw new Error('Sent an amount that was not checked');
  return money(minor, currency);
}
