import type { EventTopic, RouteName } from './paths.ts';

/**
 * The reads that live events make stale, those with the same topics together. Written by
 * `npm run live:reads` from the topics in routes/; a test compares it with them.
 */
export const LIVE_READS: readonly { topics: readonly EventTopic[]; reads: readonly RouteName[] }[] =
  [
    {
      topics: ['bank-accounts'],
      reads: ['adminCountBankAccounts'],
    },
    {
      topics: [
        'bank-accounts',
        'deposits',
        'kyc',
        'notifications',
        'payments',
        'people',
        'questions',
        'withdrawals',
      ],
      reads: ['getShell'],
    },
    {
      topics: [
        'bank-accounts',
        'deposits',
        'kyc',
        'payments',
        'payroll',
        'people',
        'questions',
        'settings',
        'withdrawals',
      ],
      reads: ['adminListWaiting'],
    },
    {
      topics: [
        'bank-accounts',
        'deposits',
        'kyc',
        'payments',
        'payroll',
        'people',
        'wallets',
        'withdrawals',
      ],
      reads: ['adminGetEmployee'],
    },
    {
      topics: ['bank-accounts', 'people', 'settings'],
      reads: ['adminGetBankAccount', 'adminListBankAccounts'],
    },
    {
      topics: ['bank-accounts', 'people', 'settings', 'withdrawals'],
      reads: ['adminGetWithdrawal', 'adminListWithdrawals'],
    },
    {
      topics: ['bank-accounts', 'withdrawals'],
      reads: ['listBankAccounts'],
    },
    {
      topics: ['books'],
      reads: ['adminGetBooks'],
    },
    {
      topics: [
        'books',
        'deliveries',
        'deposits',
        'imports',
        'payroll',
        'people',
        'settings',
        'wallets',
        'withdrawals',
      ],
      reads: ['adminGetDashboard'],
    },
    {
      topics: ['books', 'deliveries', 'people'],
      reads: ['adminListRisks'],
    },
    {
      topics: ['deliveries'],
      reads: [
        'adminCountFailedDeliveries',
        'adminListFailedDeliveries',
        'adminListWebhookDeliveries',
        'adminListWebhooks',
      ],
    },
    {
      topics: ['deposits'],
      reads: ['adminCountDeposits', 'adminDepositStats', 'getDeposit', 'listDeposits'],
    },
    {
      topics: ['deposits', 'kyc', 'payments', 'payroll', 'people', 'wallets', 'withdrawals'],
      reads: ['adminCountEmployees', 'adminGetOwed', 'adminListEmployees'],
    },
    {
      topics: ['deposits', 'payments', 'payroll', 'wallets', 'withdrawals'],
      reads: ['adminListTransactions', 'adminTransactionStats'],
    },
    {
      topics: ['deposits', 'payments', 'wallets', 'withdrawals'],
      reads: [
        'adminGetTransaction',
        'adminListAccountDocuments',
        'countHistory',
        'countReceipts',
        'getAccountDocument',
        'getAccountSpan',
        'getHistoryEvent',
        'getHistoryTotals',
        'listAccountDocuments',
        'listHistory',
        'listReceipts',
      ],
    },
    {
      topics: ['deposits', 'people', 'settings'],
      reads: ['adminGetDeposit', 'adminListDeposits'],
    },
    {
      topics: ['deposits', 'settings'],
      reads: ['getDepositOptions'],
    },
    {
      topics: ['deposits', 'wallets', 'withdrawals'],
      reads: ['getEmployeeDashboard'],
    },
    {
      topics: ['imports'],
      reads: ['adminCountImportRows', 'adminGetImport', 'adminListImportRows'],
    },
    {
      topics: ['kyc'],
      reads: [
        'adminClaimReview',
        'adminCountReviewQueue',
        'adminGetApplication',
        'adminGetReviewCounts',
        'adminGetVerification',
        'adminListReviewQueue',
        'getMyApplication',
        'getMyVerification',
        'listMyAccessLog',
      ],
    },
    {
      topics: ['kyc', 'sessions'],
      reads: ['getSession'],
    },
    {
      topics: ['notifications'],
      reads: ['countNotifications', 'getCalendarFeed', 'getEmailPreferences', 'listNotifications'],
    },
    {
      topics: ['payments'],
      reads: ['adminCountBills', 'listStandingBills'],
    },
    {
      topics: ['payments', 'people', 'settings'],
      reads: ['adminGetBill', 'adminListBills'],
    },
    {
      topics: ['payments', 'settings'],
      reads: ['listPayees', 'listScheduledBills'],
    },
    {
      topics: ['payroll'],
      reads: [
        'adminCountFundable',
        'adminCountPaid',
        'adminCountPayrollBatches',
        'adminCountPayrollLines',
        'adminGetFundingAccounts',
        'adminGetFundingStats',
        'adminGetPayrollBatch',
        'adminGetPayrollStats',
        'adminListFundable',
        'adminListPaid',
        'adminListPayrollBatches',
        'adminListPayrollLines',
        'adminPaidTotals',
      ],
    },
    {
      topics: ['people'],
      reads: [
        'adminCountApplicants',
        'adminGetPerson',
        'adminListAdmins',
        'adminListApiKeys',
        'adminListApplicants',
        'adminListInvites',
        'adminListSessions',
      ],
    },
    {
      topics: ['people', 'settings'],
      reads: ['adminGetSettings'],
    },
    {
      topics: ['questions'],
      reads: [
        'adminCountQuestions',
        'adminGetQuestion',
        'adminListQuestions',
        'getQuestion',
        'listQuestions',
      ],
    },
    {
      topics: ['saved-views'],
      reads: ['adminListSavedViews'],
    },
    {
      topics: ['sessions'],
      reads: ['listMyNameCorrections', 'listSessions'],
    },
    {
      topics: ['sessions', 'settings'],
      reads: ['getMySecurity'],
    },
    {
      topics: ['settings'],
      reads: ['adminGetSetup'],
    },
    {
      topics: ['wallets'],
      reads: ['listWallets'],
    },
    {
      topics: ['withdrawals'],
      reads: ['adminCountWithdrawals', 'adminWithdrawalStats', 'getWithdrawal', 'listWithdrawals'],
    },
  ];
