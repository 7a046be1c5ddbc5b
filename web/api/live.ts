import type { QueryClient } from '@tanstack/react-query';
import type { EventTopic, RouteName } from '#contract/paths.ts';
import { followShared } from './live-shared.ts';
import { whileVisible } from './while-visible.ts';

/** What shows movements of people's money. */
const HISTORY_READS = [
  'listHistory',
  'countHistory',
  'getHistoryEvent',
  'getHistoryTotals',
  'getAccountSpan',
  'listAccountDocuments',
  'getAccountDocument',
  'adminListAccountDocuments',
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
  'adminGetOwed',
] as const satisfies readonly RouteName[];

/** Reads whose acts are refused by rules of the company, or by what became of a person. */
const OFFERING_READS = [
  'adminListWithdrawals',
  'adminGetWithdrawal',
  'adminListDeposits',
  'adminGetDeposit',
  'adminListBills',
  'adminGetBill',
  'adminListBankAccounts',
  'adminGetBankAccount',
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
    'adminGetBankAccount',
    // Nothing is sent to an account that is not verified.
    'adminListWithdrawals',
    'adminGetWithdrawal',
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
    ...EMPLOYEE_READS,
    'listPayees',
    'listScheduledBills',
    'listStandingBills',
    'adminListBills',
    'adminCountBills',
    'adminGetBill',
    'adminListWaiting',
    'getShell',
  ],
  payroll: [
    ...EMPLOYEE_READS,
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
    'adminListPaid',
    'adminCountPaid',
    'adminPaidTotals',
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
  notifications: [
    'listNotifications',
    'countNotifications',
    'getShell',
    'getEmailPreferences',
    'getCalendarFeed',
  ],
  // With them goes what the user changed about how they sign in, such as the address.
  sessions: ['listMyNameCorrections', 'getSession', 'listSessions', 'getMySecurity'],
  books: ['adminGetBooks', 'adminGetDashboard', 'adminListRisks'],
  people: [
    ...EMPLOYEE_READS,
    ...OFFERING_READS,
    'adminGetDashboard',
    'adminListApplicants',
    'adminCountApplicants',
    'adminGetPerson',
    'adminListSessions',
    'adminListAdmins',
    'adminListInvites',
    'adminListApiKeys',
    'adminGetSettings',
    'adminListWaiting',
    'adminListRisks',
    'getShell',
  ],
  questions: [
    'listQuestions',
    'getQuestion',
    'adminListQuestions',
    'adminCountQuestions',
    'adminGetQuestion',
    'adminListWaiting',
    'getShell',
  ],
  imports: ['adminGetImport', 'adminListImportRows', 'adminCountImportRows', 'adminGetDashboard'],
  'saved-views': ['adminListSavedViews'],
  settings: [
    ...OFFERING_READS,
    'listScheduledBills',
    'listPayees',
    'adminGetSetup',
    'adminGetDashboard',
    'adminGetSettings',
    'adminListWaiting',
    'getDepositOptions',
    'getMySecurity',
  ],
  deliveries: [
    'adminListWebhooks',
    'adminListWebhookDeliveries',
    'adminListFailedDeliveries',
    'adminCountFailedDeliveries',
    'adminListRisks',
    'adminGetDashboard',
  ],
};

function isTopic(value: string): value is EventTopic {
  return value in STALE_READS;
}

/** Marks the reads that show a topic as stale: what is on screen is asked for again. */
export function markStale(queryClient: QueryClient, topic: EventTopic): void {
  for (const name of STALE_READS[topic]) {
    void queryClient.invalidateQueries({ queryKey: [name] });
  }
}

/**
 * Listens to what changes and marks the reads that show it as stale, by one stream for all tabs of the
 * browser. A tab that is hidden listens to nothing, and asks for everything again when it is seen.
 *
 * @returns stops listening
 */
export function followChanges(queryClient: QueryClient, userId: string): () => void {
  const listener = {
    onTopic: (topic: string) => {
      if (isTopic(topic)) markStale(queryClient, topic);
    },
    onMissed: () => void queryClient.invalidateQueries(),
  };
  return whileVisible((wasHidden) => followShared(userId, listener, { hasMissed: wasHidden }));
}
