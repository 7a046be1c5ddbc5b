import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { AdminBankAccount } from '#contract/api.ts';
import { REASON_MAX_LENGTH } from '#contract/limits.ts';
import { ApiError, call } from '#web/api/client.ts';
import { markStale } from '#web/api/live.ts';
import { errorMessage } from '#web/api/query.ts';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { Facts, type Fact } from '#web/ui/facts.tsx';
import { ReasonDialog } from '#web/ui/reason-dialog.tsx';
import { toast } from '#web/ui/toast-queue.ts';
import { ACCOUNT_TYPE_LABELS } from './admin-filter.ts';
import { AccountNumber } from './admin-number.tsx';

export type BankAccountDecision = 'verify' | 'reject';

interface BankAccountDecisionProps {
  decision: BankAccountDecision;
  account: AdminBankAccount;
  onClose: () => void;
}

/** Asks before a bank account is verified, and for the reason before one is rejected. */
export function BankAccountDecisionDialog({ decision, ...rest }: BankAccountDecisionProps) {
  return decision === 'verify' ? <VerifyDialog {...rest} /> : <RejectDialog {...rest} />;
}

type DialogProps = Omit<BankAccountDecisionProps, 'decision'>;

function VerifyDialog({ account, onClose }: DialogProps) {
  const verify = useMutation({
    mutationFn: () => call('adminVerifyBankAccount', { params: { id: account.id } }),
    ...useDecided('Bank Account Verified', onClose),
  });
  return (
    <ConfirmDialog
      isOpen
      title="Verify this bank account?"
      kind="solid"
      keepLabel="Not now"
      confirmLabel="Verify"
      isPending={verify.isPending}
      pendingLabel="Verifying"
      onClose={onClose}
      onConfirm={() => verify.mutate()}
    >
      <p>Withdrawals of {account.employee.name} can be paid to it from then on.</p>
      <div className="mt-4">
        <Facts isTight facts={factsOf(account)} />
      </div>
    </ConfirmDialog>
  );
}

/** What has to agree with the employee's papers. */
function factsOf(account: AdminBankAccount): Fact[] {
  return [
    { label: 'Bank', value: account.bankName },
    { label: 'Type', value: ACCOUNT_TYPE_LABELS[account.accountType] },
    { label: 'Holder', value: account.accountHolderName },
    { label: 'Routing', value: account.routingNumber },
    { label: 'Account', value: <AccountNumber account={account} /> },
  ];
}

function RejectDialog({ account, onClose }: DialogProps) {
  const reject = useMutation({
    mutationFn: (reason: string) =>
      call('adminRejectBankAccount', { params: { id: account.id }, body: { reason } }),
    ...useDecided('Bank Account Rejected', onClose),
  });
  return (
    <ReasonDialog
      title="Reject bank account"
      keepLabel="Keep Account"
      confirmLabel="Reject"
      emptyHint="Enter a reason to reject."
      maxLength={REASON_MAX_LENGTH}
      isPending={reject.isPending}
      pendingLabel="Rejecting"
      onClose={onClose}
      onConfirm={(reason) => reject.mutate(reason)}
    >
      <Whose account={account} /> The employee can correct it and send it again.
    </ReasonDialog>
  );
}

/** "Helen Kwok, Meridian Trust Bank ••8026, in the name of Helen Kwok." */
function Whose({ account }: { account: AdminBankAccount }) {
  const { employee, bankName, accountNumberLast4, accountHolderName } = account;
  return (
    <>
      <span className="strong">{employee.name}</span>, {bankName} ••{accountNumberLast4}, in the
      name of {accountHolderName}.
    </>
  );
}

/** Tells the result and asks for the list again; after a refusal too, somebody may have been faster. */
function useDecided(done: string, onClose: () => void) {
  const queryClient = useQueryClient();
  return {
    onSuccess: ({ employee, bankName, accountNumberLast4 }: AdminBankAccount) => {
      markStale(queryClient, 'bank-accounts');
      toast({
        title: done,
        message: `${bankName} ••${accountNumberLast4} of ${employee.name}.`,
        tone: 'positive',
      });
      onClose();
    },
    onError: (error: Error) => {
      markStale(queryClient, 'bank-accounts');
      toast({
        title: 'Action Failed',
        message: errorMessage(error, 'The bank account was not changed.'),
        tone: 'critical',
      });
      if (error instanceof ApiError) onClose();
    },
  };
}
