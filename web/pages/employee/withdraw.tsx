import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import type { Session } from '#contract/api.ts';
import { RECENT_WITHDRAWALS } from '#contract/limits.ts';
import { apiQuery } from '#web/api/query.ts';
import { BankAccountDialog } from '#web/features/bank-accounts/bank-account-dialog.tsx';
import { bankLabel } from '#web/features/bank-accounts/bank-label.ts';
import { useSession } from '#web/features/session/use-session.ts';
import { ScreenHead } from '#web/features/shell/screen-head.tsx';
import { OwnWithdrawalDetails } from '#web/features/withdrawals/own-details.tsx';
import { RecentWithdrawals } from '#web/features/withdrawals/recent-withdrawals.tsx';
import { WithdrawTask } from '#web/features/withdrawals/withdraw-task.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { ErrorState } from '#web/ui/error-state.tsx';
import { TextLink } from '#web/ui/link-button.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { toast } from '#web/ui/toast-queue.ts';
import '#web/features/withdrawals/withdraw.css';

const LOAD_FAILED = 'Failed to load data. Please try again.';

/** `/employee/withdraw`; `?from=` names an account, `?request=` opens a request. */
export function WithdrawPage() {
  const session = useSession();
  const { request } = useSearch({ from: '/employee/employee/withdraw' });
  const navigate = useNavigate({ from: '/employee/withdraw' });
  if (session.data === undefined) return null;
  const open = (id: string | undefined) =>
    void navigate({
      search: ({ request: _, ...others }) =>
        id === undefined ? others : { ...others, request: id },
      resetScroll: false,
    });

  return (
    <>
      <ScreenHead subtitle="Send money from your wallet to a verified bank account." />
      <div className="withdraw">
        <div>
          <IdentityNotice status={session.data.kycStatus} />
          <Task session={session.data} />
        </div>
        <Recent onOpen={open} />
      </div>
      {request !== undefined && (
        <OwnWithdrawalDetails key={request} id={request} onClose={() => open(undefined)} />
      )}
    </>
  );
}

/** Says beforehand what the server would refuse. */
function IdentityNotice({ status }: { status: Session['kycStatus'] }) {
  if (status === 'approved') return null;
  return (
    <div className="withdraw__notice">
      <Notice tone="caution">
        Your identity has to be approved before money can leave your wallet.{' '}
        <TextLink href="/employee/kyc-status">See KYC Status</TextLink>
      </Notice>
    </div>
  );
}

function Task({ session }: { session: Session }) {
  const { from } = useSearch({ from: '/employee/employee/withdraw' });
  const wallets = useQuery(apiQuery('listWallets', {}));
  const bankAccounts = useQuery(apiQuery('listBankAccounts', {}));
  const [isAddingBank, setIsAddingBank] = useState(false);

  if (session.user === null) {
    return (
      <EmptyState
        title="Authentication Required"
        hint="Please log in to access withdrawal features."
      />
    );
  }
  if (wallets.data === undefined || bankAccounts.data === undefined) {
    if (!wallets.isError && !bankAccounts.isError) {
      return <Skeleton lines={12} label="Loading your accounts" />;
    }
    return <ErrorState title={LOAD_FAILED} onRetry={() => window.location.reload()} />;
  }
  if (wallets.data.accounts.length === 0) {
    return (
      <EmptyState
        title="No Accounts Available"
        hint="Your company has not opened one for you yet."
      />
    );
  }
  return (
    <>
      <WithdrawTask
        userId={session.user.id}
        wallets={wallets.data.accounts}
        bankAccounts={bankAccounts.data.items}
        from={from}
        onAddBank={() => setIsAddingBank(true)}
      />
      {isAddingBank && (
        <BankAccountDialog
          title="Add New Bank"
          onClose={() => setIsAddingBank(false)}
          onSaved={(account) =>
            toast({
              title: 'Bank Account Submitted',
              message: `${bankLabel(account)} is waiting for admin approval.`,
              tone: 'positive',
            })
          }
        />
      )}
    </>
  );
}

interface RecentProps {
  onOpen: (id: string) => void;
}

function Recent({ onOpen }: RecentProps) {
  const recent = useQuery(apiQuery('listWithdrawals', { query: { pageSize: RECENT_WITHDRAWALS } }));
  return (
    <section aria-labelledby="recent-withdrawals">
      <div className="section__head withdraw__recent-head">
        <h2 className="section-title" id="recent-withdrawals">
          Recent Withdrawals
        </h2>
      </div>
      {recent.isPending && <Skeleton lines={6} label="Loading your withdrawals" />}
      {recent.isError && (
        <ErrorState
          title="Failed to load withdrawals"
          onRetry={() => void recent.refetch()}
          isRetrying={recent.isFetching}
        />
      )}
      {recent.data !== undefined && (
        <RecentWithdrawals withdrawals={recent.data.items} onOpen={onOpen} />
      )}
    </section>
  );
}
