import type { QueryClient } from '@tanstack/react-query';
import { EVENTS_PATH } from '#contract/paths.ts';
import type { EventTopic, RouteName } from '#contract/paths.ts';

/** What shows movements of people's money. */
const HISTORY_READS = [
  'listHistory',
  'countHistory',
  'getHistoryEvent',
  'getHistoryTotals',
  'getAccountSpan',
  'listAccountDocuments',
  'getAccountDocument',
  'listReceipts',
  'countReceipts',
  'adminListTransactions',
  'adminTransactionStats',
  'adminGetTransaction',
] as const satisfies readonly RouteName[];

/** What shows employees with their balances and where their identity stands. */
const EMPLOYEE_READS = [
  'adminListEmployees',
  'adminCountEmployees',
  'adminGetEmployee',
] as const satisfies readonly RouteName[];

/** Which reads a topic makes stale. */
const STALE_READS: Record<EventTopic, readonly RouteName[]> = {
  wallets: [
    ...HISTORY_READS,
    ...EMPLOYEE_READS,
    'listWallets',
    'getEmployeeDashboard',
    'adminGetDashboard',
  ],
  'bank-accounts': [
    'adminGetEmployee',
    'listBankAccounts',
    'adminListBankAccounts',
    'adminCountBankAccounts',
    'adminListWaiting',
    'getShell',
  ],
  withdrawals: [
    ...HISTORY_READS,
    ...EMPLOYEE_READS,
    // An account that a withdrawal pays to cannot be changed meanwhile.
    'listBankAccounts',
    'listWithdrawals',
    'getWithdrawal',
    'getEmployeeDashboard',
    'adminListWithdrawals',
    'adminCountWithdrawals',
    'adminWithdrawalStats',
    'adminGetWithdrawal',
    'adminListWaiting',
    'adminGetDashboard',
    'getShell',
  ],
  deposits: [
    ...HISTORY_READS,
    ...EMPLOYEE_READS,
    'getEmployeeDashboard',
    'adminListDeposits',
    'adminCountDeposits',
    'adminDepositStats',
    'listDeposits',
    'getDeposit',
    'getDepositOptions',
    'adminGetDeposit',
    'adminListWaiting',
    'adminGetDashboard',
    'getShell',
  ],
  payments: [
    ...HISTORY_READS,
    'listPayees',
    'listScheduledBills',
    'listStandingBills',
    'getBill',
    'adminListBills',
    'adminCountBills',
    'adminGetBill',
    'getShell',
  ],
  payroll: [
    'adminListTransactions',
    'adminTransactionStats',
    'adminGetPayrollStats',
    'adminListPayrollBatches',
    'adminCountPayrollBatches',
    'adminGetPayrollBatch',
    'adminGetFundingStats',
    'adminListFundable',
    'adminCountFundable',
    'adminGetFundingAccounts',
    'adminListPayrollLines',
    'adminCountPayrollLines',
    'adminListWaiting',
    'adminGetDashboard',
  ],
  kyc: [
    ...EMPLOYEE_READS,
    'getSession',
    'getShell',
    'getMyApplication',
    'getMyVerification',
    'listMyAccessLog',
    'adminListReviewQueue',
    'adminCountReviewQueue',
    'adminGetReviewCounts',
    'adminListWaiting',
    // Another admin may have put it back.
    'adminClaimReview',
    'adminGetApplication',
    'adminGetVerification',
  ],
  notifications: ['listNotifications', 'countNotifications', 'getShell', 'getEmailPreferences'],
  // With them goes what the user changed about how they sign in, such as the address.
  sessions: ['getSession', 'listSessions', 'getMySecurity'],
  books: ['adminGetBooks', 'adminGetDashboard'],
  people: [
    ...EMPLOYEE_READS,
    'adminListApplicants',
    'adminCountApplicants',
    'adminGetPerson',
    'adminListAdmins',
    'adminListInvites',
    'adminListApiKeys',
    'adminGetSettings',
    'getShell',
  ],
  imports: ['adminGetImport', 'adminListImportRows', 'adminCountImportRows'],
  settings: ['adminGetSettings', 'adminListWaiting', 'getDepositOptions', 'getMySecurity'],
  deliveries: [
    'adminListWebhooks',
    'adminListWebhookDeliveries',
    'adminListFailedDeliveries',
    'adminCountFailedDeliveries',
    'adminGetDashboard',
  ],
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

/** The least that is waited before a refused stream is asked for again; twice that at most. */
const RETRY_MS = 4_000;

/**
 * Listens to what changes and marks the reads that show it as stale. After a lost connection
 * everything is, because events were missed.
 *
 * @returns stops listening
 */
export function followChanges(queryClient: QueryClient): () => void {
  let wasLost = false;
  let source = open();
  let retry: ReturnType<typeof setTimeout> | undefined;

  function open(): EventSource {
    const opened = new EventSource(EVENTS_PATH);
    opened.addEventListener('changed', (event: MessageEvent<string>) => {
      const data: unknown = JSON.parse(event.data);
      if (typeof data === 'object' && data !== null && 'topic' in data && isTopic(data.topic)) {
        markStale(queryClient, data.topic);
      }
    });
    opened.addEventListener('error', () => {
      wasLost = true;
      // A lost connection the browser opens again by itself. A refused one (503 while the server has
      // no database, say) it gives up for good.
      if (opened.readyState !== EventSource.CLOSED) return;
      const waitMs = RETRY_MS * (1 + Math.random());
      retry = setTimeout(() => {
        source = open();
      }, waitMs);
    });
    opened.addEventListener('open', () => {
      if (wasLost) void queryClient.invalidateQueries();
      wasLost = false;
    });
    return opened;
  }

  return () => {
    clearTimeout(retry);
    source.close();
  };
}
