import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import type { HistoryItem, Session, Wallet } from '#contract/api.ts';
import type { WalletType } from '#contract/wallets.ts';
import { apiQuery } from '#web/api/query.ts';
import { EarningsStats } from '#web/features/activity/earnings.tsx';
import { PendingWithdrawals } from '#web/features/activity/pending-withdrawals.tsx';
import { RecentActivity } from '#web/features/activity/recent-activity.tsx';
import { RecentPayments } from '#web/features/activity/recent-payments.tsx';
import { YearSoFar } from '#web/features/activity/year-so-far.tsx';
import { BANK_ACCOUNT_ADDED } from '#web/features/bank-accounts/add-words.ts';
import { PendingOwnDeposits } from '#web/features/deposits/pending-own.tsx';
import { ProveNumber } from '#web/features/history/proof/prove-number.tsx';
import { IdentityLine } from '#web/features/kyc/status/identity-line.tsx';
import { AskedRecoveries } from '#web/features/payroll/recoveries/asked-recoveries.tsx';
import { DashboardTransfers } from '#web/features/transfers/dashboard-transfers.tsx';
import { useSession } from '#web/features/session/use-session.ts';
import { PaymentsTab } from '#web/features/payments/payments-tab.tsx';
import { ScreenHead } from '#web/kit/screen-head.tsx';
import { AccountCarousel } from '#web/features/wallets/account-carousel.tsx';
import { missingAccounts } from '#web/features/wallets/missing-accounts.ts';
import { FrozenNotice } from '#web/kit/frozen-notice.tsx';
import { loadedDialog } from '#web/kit/loaded-dialog.tsx';
import { usePrivacySwitch } from '#web/lib/privacy.ts';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { LoadedQuery } from '#web/kit/loaded-query.tsx';
import { ErrorState } from '#web/ui/error-state.tsx';
import { TextLink } from '#web/ui/link-button.tsx';
import { Money } from '#web/ui/money.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { Tabs } from '#web/ui/tabs.tsx';
import { TextButton } from '#web/ui/text-button.tsx';
import { useMoments } from '#web/ui/time.tsx';
import './dashboard.css';

const WithdrawMoney = loadedDialog(
  async () => (await import('./withdraw-money.tsx')).WithdrawMoney,
);
const DepositDialog = loadedDialog(
  async () => (await import('#web/features/deposits/deposit-dialog.tsx')).DepositDialog,
);
const OwnDepositDetails = loadedDialog(
  async () => (await import('#web/features/deposits/deposit-details.tsx')).OwnDepositDetails,
);
const AddBankAccount = loadedDialog(
  async () => (await import('#web/features/bank-accounts/add-bank-account.tsx')).AddBankAccount,
);
const MoveMoney = loadedDialog(
  async () => (await import('#web/features/payments/move-money.tsx')).MoveMoney,
);
const OpenAccount = loadedDialog(
  async () => (await import('#web/features/wallets/open-account.tsx')).OpenAccount,
);

const useWallets = () => useQuery(apiQuery('listWallets', {}));
const useDashboard = () => useQuery(apiQuery('getEmployeeDashboard', {}));

/** `/employee/dashboard` */
export function EmployeeDashboardPage() {
  const session = useSession();
  const wallets = useWallets();
  const dashboard = useDashboard();
  const [today] = useState(() => new Date());
  const write = useMoments();
  const { deposit } = useSearch({ from: '/employee/employee/dashboard' });
  const navigate = useNavigate({ from: '/employee/dashboard' });
  const closeDeposit = () =>
    void navigate({ search: ({ deposit: _, ...others }) => others, resetScroll: false });
  const user = session.data?.user;
  if (session.data === undefined || user === null || user === undefined) return null;

  return (
    <>
      <ScreenHead
        title={`Hi, ${user.firstName}!`}
        subtitle={<Today words={write(today, 'long')} />}
        end={
          wallets.data !== undefined && (
            <p className="total-assets">
              <span className="muted">Total assets</span>
              <span className="dialog-title num">
                <Money amount={wallets.data.totalAssets} />
              </span>
            </p>
          )
        }
      />
      <IdentityLine status={session.data.kycStatus} />
      {session.data.payoutsFrozenAt !== null && (
        <div className="identity-line">
          <FrozenNotice since={session.data.payoutsFrozenAt} />
        </div>
      )}
      <AskedRecoveries asked={dashboard.data?.askedRecoveries ?? []} />
      <Accounts query={wallets} session={session.data} />
      <Activity query={dashboard} userId={user.id} />
      {deposit !== undefined && (
        <OwnDepositDetails key={deposit} id={deposit} onClose={closeDeposit} />
      )}
    </>
  );
}

/** The day, and that amounts are hidden, with the way back. */
function Today({ words }: { words: string }) {
  const [isHidden, hide] = usePrivacySwitch();
  if (!isHidden) return <>{words}</>;
  return (
    <>
      {words}. Amounts are hidden. <TextButton onPress={() => hide(false)}>Show amounts</TextButton>
    </>
  );
}

interface AccountsProps {
  query: ReturnType<typeof useWallets>;
  session: Session;
}

function Accounts({ query, session }: AccountsProps) {
  // As tall as the accounts: what is below stays in place.
  return (
    <LoadedQuery query={query} what="account data" lines={11}>
      {({ accounts }) =>
        accounts.length === 0 ? (
          <EmptyState
            title="No Accounts Available"
            hint="Your company has not opened one for you yet."
          />
        ) : (
          <AccountCards wallets={accounts} session={session} />
        )
      }
    </LoadedQuery>
  );
}

/** Task that was started at the accounts. */
type AccountTask =
  | { kind: 'withdraw' | 'deposit'; walletId: string }
  | { kind: 'prove'; account: WalletType }
  | { kind: 'addBank' | 'openAccount' | 'move' };

/** The accounts, and the dialogs that they open. */
function AccountCards({ wallets, session }: { wallets: readonly Wallet[]; session: Session }) {
  const [task, setTask] = useState<AccountTask>();
  const opener = useRef<Element | null>(null);
  const missing = missingAccounts(wallets);
  function begin(next: AccountTask): void {
    opener.current = document.activeElement;
    setTask(next);
  }
  /** The result follows the steps, which are gone: focus has to be sent back by hand. */
  function close(): void {
    setTask(undefined);
    requestAnimationFrame(() => {
      if (opener.current instanceof HTMLElement) opener.current.focus();
    });
  }

  return (
    <>
      <AccountCarousel
        wallets={wallets}
        canSend={session.kycStatus === 'approved' && session.payoutsFrozenAt === null}
        onWithdraw={({ id }) => begin({ kind: 'withdraw', walletId: id })}
        onDeposit={({ id }) => begin({ kind: 'deposit', walletId: id })}
        onProve={({ type }) => begin({ kind: 'prove', account: type })}
        onAddBank={() => begin({ kind: 'addBank' })}
        onMove={wallets.length < 2 ? undefined : () => begin({ kind: 'move' })}
        onOpenFurther={missing.length === 0 ? undefined : () => begin({ kind: 'openAccount' })}
      />
      {task?.kind === 'withdraw' && (
        <WithdrawMoney session={session} from={task.walletId} onClose={close} />
      )}
      {task?.kind === 'deposit' && (
        <DepositDialog wallets={wallets} walletId={task.walletId} onClose={close} />
      )}
      {task?.kind === 'prove' && (
        <ProveNumber
          target={{ kind: 'balance', account: task.account, number: '' }}
          onClose={close}
        />
      )}
      {task?.kind === 'addBank' && <AddBankAccount {...BANK_ACCOUNT_ADDED} onClose={close} />}
      {task?.kind === 'move' && <MoveMoney wallets={wallets} onClose={close} />}
      {task?.kind === 'openAccount' && <OpenAccount types={missing} onClose={close} />}
    </>
  );
}

interface ActivityProps {
  query: ReturnType<typeof useDashboard>;
  userId: string;
}

function Activity({ query, userId }: ActivityProps) {
  if (query.isPending) return <Skeleton lines={8} label="Loading your activity" />;
  const error = query.isError && (
    <ErrorState
      title="Failed to load withdrawals"
      message="Your activity could not be loaded either. Your accounts are not affected."
      onRetry={() => void query.refetch()}
      isRetrying={query.isFetching}
    />
  );
  if (query.data === undefined) return error;
  return (
    <>
      {error}
      <EarningsStats dashboard={query.data} />
      <YearSoFar year={query.data.yearSoFar} />
      <div className="dashboard__columns">
        <ActivityTabs items={query.data.recentActivity} userId={userId} />
        <div className="dashboard__side">
          <PendingWithdrawals dashboard={query.data} />
          <PendingOwnDeposits />
          <DashboardTransfers />
        </div>
      </div>
    </>
  );
}

/** `?tab=payments` is what the person pays, `?again=` what they pay again; without it, what happened last. */
function ActivityTabs({ items, userId }: { items: readonly HistoryItem[]; userId: string }) {
  const { tab, again } = useSearch({ from: '/employee/employee/dashboard' });
  const navigate = useNavigate({ from: '/employee/dashboard' });
  return (
    <Tabs
      label="Activity and payments"
      selected={tab === 'payments' ? 'payments' : 'activity'}
      onSelect={(next) =>
        void navigate({
          search: ({ tab: _, again: _again, ...others }) =>
            next === 'payments' ? { ...others, tab: next } : others,
          replace: true,
          resetScroll: false,
        })
      }
      end={<TextLink href="/employee/history">See All Transactions</TextLink>}
      tabs={[
        {
          id: 'activity',
          label: 'Recent Activity',
          content: <RecentActivity label="Recent Activity" items={items} />,
        },
        {
          id: 'payments',
          label: 'Payments',
          content: (
            <PaymentsTab
              userId={userId}
              recent={<RecentPayments />}
              again={again}
              onAgainClosed={() =>
                void navigate({
                  search: ({ again: _, ...others }) => others,
                  replace: true,
                  resetScroll: false,
                })
              }
            />
          ),
        },
      ]}
    />
  );
}
