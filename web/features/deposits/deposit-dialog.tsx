import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Deposit, DepositOptions, Wallet } from '#contract/api.ts';
import { formatMoney } from '#contract/money.ts';
import { call } from '#web/api/client.ts';
import { apiQuery } from '#web/api/query.ts';
import { FormDialog } from '#web/kit/form-dialog.tsx';
import { LoadedQuery } from '#web/kit/loaded-query.tsx';
import { useFormState } from '#web/kit/form-state.ts';
import { useFormTask } from '#web/kit/use-form-task.ts';
import { Dialog } from '#web/ui/dialog.tsx';
import { Stepper } from '#web/ui/stepper.tsx';
import {
  checkDeposit,
  depositSummary,
  DEPOSIT_STEPS,
  METHOD_STEP,
  REVIEW_STEP,
  tallyOf,
  type DepositPlan,
  type DepositValues,
} from './check-deposit.ts';
import { DepositResult } from './deposit-details.tsx';
import { AccountStep, AmountStep, MethodStep, ReviewStep } from './deposit-steps.tsx';

interface DepositDialogProps {
  wallets: readonly Wallet[];
  /** The wallet that is chosen to begin with. */
  walletId: string;
  onClose: () => void;
}

/** Asks for a deposit in four steps, and shows what came of it. Shown while it is mounted. */
export function DepositDialog(props: DepositDialogProps) {
  const options = useQuery(apiQuery('getDepositOptions', {}));
  const [submitted, setSubmitted] = useState<Deposit>();
  if (submitted !== undefined) return <DepositResult id={submitted.id} onClose={props.onClose} />;
  if (options.data === undefined) {
    return (
      <Dialog title="Deposit" onClose={props.onClose}>
        <LoadedQuery query={options} what="the deposit methods" lines={6} />
      </Dialog>
    );
  }
  return <DepositTask {...props} methods={options.data.methods} onSubmitted={setSubmitted} />;
}

interface DepositTaskProps extends DepositDialogProps {
  methods: DepositOptions['methods'];
  onSubmitted: (deposit: Deposit) => void;
}

function DepositTask({ wallets, walletId, methods, onClose, onSubmitted }: DepositTaskProps) {
  // A single account is no choice: its step is left out.
  const first = wallets.length === 1 ? METHOD_STEP : 0;
  const [step, setStep] = useState(first);
  const choices = { wallets, methods };
  const state = useFormState<DepositValues>({
    initial: { walletId, method: methods[0]?.id ?? '', amount: '', description: '' },
    check: (values) => checkDeposit(values, step, choices),
  });
  const { form, fields, problems } = state;
  const task = useFormTask(state, {
    send: (values, options) => call('requestDeposit', { body: bodyOf(values, choices) }, options),
    topics: ['deposits'],
    done: ({ amount, walletName }) => ({
      title: 'Deposit Submitted',
      message: `${formatMoney(amount)} to ${walletName} is waiting for approval.`,
    }),
    onDone: onSubmitted,
    places: {
      amount_invalid: 'amount',
      deposit_out_of_range: 'amount',
      deposit_daily_limit: 'amount',
      deposit_method_unavailable: 'method',
      wallet_not_found: 'walletId',
    },
  });
  // A refusal that a field explains leads back to the step of that field.
  const shownStep =
    problems.length > 0 ? Math.max(first, Math.min(step, stepOf(problems[0]?.name))) : step;
  const plan = planOf(form.getValues(), choices);
  const wallet = wallets.find(({ id }) => id === fields.walletId.value);
  const method = methods.find(({ id }) => id === fields.method.value);
  // One that the company no longer offers, or an account that was closed, is chosen again. What was typed stays.
  if (step > METHOD_STEP && method === undefined) setStep(METHOD_STEP);
  else if (step > 0 && wallet === undefined) setStep(0);
  const isReview = shownStep === REVIEW_STEP && plan !== null;

  function goTo(next: number): void {
    form.clearErrors();
    setStep(next);
  }

  function submit(values: DepositValues): void {
    if (isReview) task.submit(values);
    else goTo(shownStep + 1);
  }

  return (
    <FormDialog
      title="Deposit"
      state={state}
      task={{ ...task, submit }}
      summary={depositSummary(problems)}
      sent={{ what: 'your request', where: 'under Pending Deposits' }}
      submit={{
        label: isReview ? `Deposit ${formatMoney(plan.amount)}` : 'Next',
        pending: 'Sending',
        kind: isReview ? 'money' : 'solid',
        why: methods.length === 0 ? 'Your company does not accept deposits yet.' : undefined,
      }}
      cancel={task.isPending ? 'Close' : shownStep === first ? 'Cancel' : 'Back'}
      onBack={shownStep === first || task.isPending ? undefined : () => goTo(shownStep - 1)}
      onClose={onClose}
    >
      {() => (
        <>
          <Stepper
            steps={DEPOSIT_STEPS.slice(first)}
            current={shownStep - first}
            onGoTo={(index) => goTo(index + first)}
          />
          {shownStep === 0 && <AccountStep fields={fields} wallets={wallets} />}
          {shownStep === METHOD_STEP && (
            <MethodStep
              fields={fields}
              methods={methods}
              only={first === METHOD_STEP ? wallet : undefined}
            />
          )}
          {shownStep === 2 && wallet !== undefined && method !== undefined && (
            <AmountStep fields={fields} wallet={wallet} method={method} />
          )}
          {isReview && <ReviewStep plan={plan} />}
        </>
      )}
    </FormDialog>
  );
}

const STEP_OF: Record<keyof DepositValues, number> = {
  walletId: 0,
  method: METHOD_STEP,
  amount: 2,
  description: 2,
};

function stepOf(name: string | undefined): number {
  return STEP_OF[(name ?? 'walletId') as keyof DepositValues];
}

function planOf(
  values: DepositValues,
  { wallets, methods }: Pick<DepositTaskProps, 'wallets' | 'methods'>,
): DepositPlan | null {
  const wallet = wallets.find(({ id }) => id === values.walletId);
  const method = methods.find(({ id }) => id === values.method);
  if (wallet === undefined || method === undefined) return null;
  const tally = tallyOf(method.id, values.amount, method.leftToday.currency);
  if (tally === null) return null;
  return { wallet, method: method.id, ...tally, description: values.description.trim() };
}

function bodyOf(values: DepositValues, choices: Pick<DepositTaskProps, 'wallets' | 'methods'>) {
  const plan = planOf(values, choices);
  // The check has passed, which asks for more than this.
  if (plan === null) throw new Error('A deposit is sent that cannot be read');
  const { wallet, method, amount, description } = plan;
  return { walletId: wallet.id, method, amount, description };
}
