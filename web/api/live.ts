import type { QueryClient } from '@tanstack/react-query';
import { EVENTS_PATH } from '#contract/paths.ts';
import type { EventTopic, RouteName } from '#contract/paths.ts';

/** Which reads a topic makes stale. */
const STALE_READS: Record<EventTopic, readonly RouteName[]> = {
  wallets: ['listWallets', 'getEmployeeDashboard', 'getAdminDashboard'],
  'bank-accounts': [
    'listBankAccounts',
    'adminListBankAccounts',
    'adminCountBankAccounts',
    'getShell',
  ],
  withdrawals: [
    // An account that a withdrawal pays to cannot be changed meanwhile.
    'listBankAccounts',
    'listWithdrawals',
    'getWithdrawal',
    'getEmployeeDashboard',
    'adminListWithdrawals',
    'adminCountWithdrawals',
    'adminWithdrawalStats',
    'adminGetWithdrawal',
    'getAdminDashboard',
    'getShell',
  ],
  deposits: ['getEmployeeDashboard', 'adminListDeposits', 'getAdminDashboard', 'getShell'],
  payroll: [
    'getPayrollStats',
    'listPayrollBatches',
    'countPayrollBatches',
    'getPayrollBatch',
    'listPayrollLines',
    'countPayrollLines',
    'getAdminDashboard',
  ],
  kyc: [
    'getSession',
    'getShell',
    'getMyApplication',
    'getMyVerification',
    'listMyOpenings',
    'listReviewQueue',
    'countReviewQueue',
    'getReviewCounts',
    // Another admin may have put it back.
    'claimReview',
    'adminGetApplication',
    'adminGetVerification',
  ],
  notifications: ['listNotifications', 'getShell'],
  deliveries: ['adminListFailedDeliveries', 'adminCountFailedDeliveries', 'getAdminDashboard'],
};

function isTopic(value: unknown): value is EventTopic {
  return typeof value === 'string' && value in STALE_READS;
}

/** Marks the reads that show a topic as stale: what is on screen is asked for again. */
export function markStale(queryClient: QueryClient, topic: EventTopic): void {
  for (const name of STALE_READS[topic]) {
    void queryClient.invalidateQueries({ queryKey: [name] });
  }
}

/**
 * Listens to what changes and marks the reads that show it as stale. After a lost connection everything is, because events were missed.
 * @returns stops listening
 */
export function followChanges(queryClient: QueryClient): () => void {
  const source = new EventSource(EVENTS_PATH);
  let wasLost = false;

  source.addEventListener('changed', (event: MessageEvent<string>) => {
    const data: unknown = JSON.parse(event.data);
    if (typeof data === 'object' && data !== null && 'topic' in data && isTopic(data.topic)) {
      markStale(queryClient, data.topic);
    }
  });
  source.addEventListener('error', () => {
    wasLost = true;
  });
  source.addEventListener('open', () => {
    if (wasLost) void queryClient.invalidateQueries();
    wasLost = false;
  });
  return () => source.close();
}
