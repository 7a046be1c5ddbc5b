import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import type { Session } from '#contract/api.ts';
import { apiQuery } from '#web/api/query.ts';
import { AddBankAccount } from '#web/features/bank-accounts/add-bank-account.tsx';
import { WithdrawTask } from '#web/features/withdrawals/withdraw-task.tsx';
import { FROZEN_WHY, FrozenNotice } from '#web/kit/frozen-notice.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { ErrorState } from '#web/ui/error-state.tsx';
import { TextLink } from '#web/ui/link-button.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import '#web/features/withdrawals/withdraw.css';

interface WithdrawMoneyProps {
  session: Session;
  /** The account asked for. */
  from: string | undefined;
  /** Given where it is a dialog over another screen: closes it. */
  onClose?: (() => void) | undefined;
}

/** A withdrawal from the form to the receipt, with what it needs: accounts, banks, a way to add one. */
export function WithdrawMoney({ session, from, onClose }: WithdrawMoneyProps) {
  const wallets = useQuery(apiQuery('listWallets', {}));
  const bankAccounts = useQuery(apiQuery('listBankAccounts', {}));
  const [isAddingBank, setIsAddingBank] = useState(false);
  const frame = (content: ReactNode) =>
    onClose === undefined ? (
      content
    ) : (
      <Dialog title="Withdraw Funds" onClose={onClose}>
        {content}
      </Dialog>
    );

  if (session.user === null) {
    return frame(
      <EmptyState
        title="Authentication Required"
        hint="Please log in to access withdrawal features."
      />,
    );
  }
  if (wallets.data === undefined || bankAccounts.data === undefined) {
    if (!wallets.isError && !bankAccounts.isError) {
      return frame(<Skeleton lines={12} label="Loading your accounts" />);
    }
    return frame(
      <ErrorState
        title="Failed to load data. Please try again."
        onRetry={() => window.location.reload()}
      />,
    );
  }
  if (wallets.data.accounts.length === 0) {
    return frame(
      <EmptyState
        title="No Accounts Available"
        hint="Your company has not opened one for you yet."
      />,
    );
  }
  const { kycStatus, payoutsFrozenAt } = session;
  const notice = (
    <>
      <IdentityNotice status={kycStatus} />
      {payoutsFrozenAt !== null && (
        <div className="withdraw__notice">
          <FrozenNotice since={payoutsFrozenAt} />
        </div>
      )}
    </>
  );
  return (
    <>
      {onClose === undefined && notice}
      <WithdrawTask
        userId={session.user.id}
        wallets={wallets.data.accounts}
        bankAccounts={bankAccounts.data.items}
        from={from}
        why={payoutsFrozenAt === null ? undefined : FROZEN_WHY}
        onAddBank={() => setIsAddingBank(true)}
        dialog={
          onClose === undefined
            ? undefined
            : {
                frame: (form) =>
                  frame(
                    <>
                      {notice}
                      {form}
                    </>,
                  ),
                onDone: onClose,
              }
        }
      />
      {isAddingBank && (
        <AddBankAccount
          title="Add New Bank"
          done={{ title: 'Bank Account Submitted', waits: 'is waiting for admin approval.' }}
          onClose={() => setIsAddingBank(false)}
        />
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
        Your identity must be approved before money can leave your wallet.{' '}
        <TextLink href="/employee/kyc-status">See KYC Status</TextLink>
      </Notice>
    </div>
  );
}
