import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { FundingAccounts } from '#contract/api.ts';
import { ApiError, call } from '#web/api/client.ts';
import { markStale } from '#web/api/live.ts';
import { apiQuery } from '#web/api/query.ts';
import { useFormState } from '#web/kit/form-state.ts';
import { useReviewedForm } from '#web/kit/reviewed-form.tsx';
import { useCompany } from '#web/lib/company.ts';
import { Dialog } from '#web/ui/dialog.tsx';
import { ErrorState } from '#web/ui/error-state.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { toast } from '#web/ui/toast-queue.ts';
import { ConfirmStep } from './confirm-step.tsx';
import { FundingDone } from './funding-done.tsx';
import {
  checkFunding,
  onlyWallet,
  planOf,
  valuesOf,
  type FundingPlan,
  type FundingValues,
  type PaidLine,
} from './funding-form.ts';
import { SelectStep } from './select-step.tsx';
import { AUTH_PROBLEMS } from './use-verified-admin.ts';

interface FundDialogProps {
  employeeId: string;
  /** The failed line that is paid differently. */
  pays?: PaidLine | undefined;
  onClose: () => void;
}

const EMPTY: FundingValues = { type: '', walletId: '', amount: '', description: '' };

/** Funds one employee in three steps: select, confirm, success. Open while mounted. */
export function FundDialog({ employeeId, pays, onClose }: FundDialogProps) {
  // A dialog that opens again must show the amount available now, not before the last funding.
  const accounts = useQuery(apiQuery('adminGetFundingAccounts', { params: { id: employeeId } }));
  const [turn, setTurn] = useState(0);
  if (accounts.data === undefined) {
    return (
      <Dialog title={pays === undefined ? 'Fund Employee' : 'Pay Differently'} onClose={onClose}>
        {accounts.isPending ? (
          <Skeleton lines={6} label="Loading the employee's accounts" />
        ) : (
          <ErrorState
            title="Error Loading Accounts"
            message="Failed to load employee accounts. Please try again."
            onRetry={() => void accounts.refetch()}
            isRetrying={accounts.isFetching}
          />
        )}
      </Dialog>
    );
  }
  return (
    <FundTask
      key={turn}
      accounts={accounts.data}
      pays={pays}
      onAgain={pays === undefined ? () => setTurn(turn + 1) : undefined}
      onClose={onClose}
    />
  );
}

interface FundTaskProps {
  accounts: FundingAccounts;
  pays: PaidLine | undefined;
  onAgain: (() => void) | undefined;
  onClose: () => void;
}

function FundTask({ accounts, pays, onAgain, onClose }: FundTaskProps) {
  const { employee, wallets } = accounts;
  const queryClient = useQueryClient();
  const { currency } = useCompany();
  const state = useFormState<FundingValues>({
    initial:
      pays === undefined ? { ...EMPTY, walletId: onlyWallet(wallets) } : valuesOf(pays, wallets),
    check: (values) => checkFunding(values, currency),
  });
  const { step, onReview, reviewOf } = useReviewedForm(state, {
    inputOf: ({ type, wallet, amount, description }: FundingPlan) => ({
      params: { id: employee.id },
      body: {
        type,
        walletId: wallet.id,
        amount,
        description,
        alreadyPaidHash: accounts.paid?.hash,
        paysLine: pays?.id,
      },
    }),
    send: (input, options) => call('adminFundEmployee', input, options),
    onDone: () => markStale(queryClient, 'payroll'),
    // The step stays open and says so. Pressing again repeats the same request.
    failed: null,
    onRefused: (error) => {
      const refusal = error instanceof ApiError ? error : undefined;
      if (refusal?.problem.code === 'already_paid') markStale(queryClient, 'payroll');
      const isSignedOut = refusal?.problem.code === 'unauthenticated';
      toast({
        title: 'Funding Failed',
        message: isSignedOut ? AUTH_PROBLEMS.expired : refusal?.message,
        tone: 'critical',
      });
    },
  });

  if (step.kind === 'done') {
    return <FundingDone funding={step.reply} onAgain={onAgain} onClose={onClose} />;
  }
  if (step.kind === 'review') {
    return <ConfirmStep accounts={accounts} plan={step.plan} review={reviewOf(step.plan)} />;
  }
  return (
    <SelectStep
      employee={employee}
      wallets={wallets}
      pays={pays}
      state={state}
      onPreview={(values) => {
        const plan = planOf(values, wallets);
        if (plan !== null) onReview(plan);
      }}
      onClose={onClose}
    />
  );
}
