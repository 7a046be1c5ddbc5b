/**
 * Every screen that needs a session: address, heading, place in the navigation, file and search
 * parameters. The routes, the navigation and the accessibility tests are made from it. Screens
 * without a session are in routes.tsx.
 */
import {
  auditList,
  bankAccountList,
  billList,
  depositList,
  fundableList,
  employeeList,
  historyList,
  importRowList,
  notificationList,
  paidList,
  payrollBatchList,
  payrollDraftList,
  payrollLineList,
  questionList,
  reviewQueueList,
  transactionList,
  withdrawalList,
} from '#contract/lists.ts';
import type { Screen } from './lib/screens.ts';
import type { SearchDeclaration } from './lib/search.ts';

/** Keeps the exact types of a screen's address and search, so that links and pages are checked. */
function screen<const Path extends string, const Search extends SearchDeclaration>(
  one: Screen<Path, Search>,
): Screen<Path, Search> {
  return one;
}

export const EMPLOYEE_SCREENS = {
  dashboard: screen({
    path: '/employee/dashboard',
    title: null,
    navigation: { group: null, label: 'Dashboard', covers: ['/employee/automatic'] },
    search: { texts: ['tab', 'deposit', 'again'] },
    load: () => import('./pages/employee/dashboard.tsx').then((page) => page.EmployeeDashboardPage),
  }),
  history: screen({
    path: '/employee/history',
    title: 'Transaction History',
    navigation: { group: null, label: 'History', covers: ['/employee/documents'] },
    search: { lists: { '': historyList }, texts: ['transaction', 'question'] },
    load: () => import('./pages/employee/history.tsx').then((page) => page.HistoryPage),
  }),
  documents: screen({
    path: '/employee/documents',
    title: 'Documents',
    navigation: null,
    search: { texts: ['tab', 'year', 'account', 'page'] },
    load: () => import('./pages/employee/documents.tsx').then((page) => page.DocumentsPage),
  }),
  document: screen({
    path: '/employee/documents/$id',
    title: null,
    navigation: null,
    search: { texts: ['print'] },
    load: () => import('./pages/employee/documents/$id.tsx').then((page) => page.DocumentPage),
  }),
  recovery: screen({
    path: '/employee/recovery',
    title: 'Recovery',
    navigation: null,
    search: {},
    load: () => import('./pages/employee/recovery.tsx').then((page) => page.RecoveryPage),
  }),
  withdraw: screen({
    path: '/employee/withdraw',
    title: 'Withdraw Funds',
    navigation: { group: null, label: 'Withdraw' },
    search: { texts: ['from', 'request'] },
    load: () => import('./pages/employee/withdraw.tsx').then((page) => page.WithdrawPage),
  }),
  automatic: screen({
    path: '/employee/automatic',
    title: 'Automatic Transfers',
    navigation: null,
    search: { texts: ['from'] },
    load: () =>
      import('./pages/employee/automatic.tsx').then((page) => page.AutomaticTransfersPage),
  }),
  bankDetails: screen({
    path: '/employee/bank-details',
    title: 'Bank Details & KYC',
    navigation: { group: null, label: 'Bank Details' },
    search: {},
    load: () => import('./pages/employee/bank-details.tsx').then((page) => page.BankDetailsPage),
  }),
  kycStatus: screen({
    path: '/employee/kyc-status',
    title: 'KYC Status',
    navigation: { group: null, label: 'KYC Status' },
    search: {},
    load: () => import('./pages/employee/kyc-status.tsx').then((page) => page.KycStatusPage),
  }),
  notifications: screen({
    path: '/employee/notifications',
    title: 'Notifications',
    navigation: { group: null, label: 'Notifications', isInbox: true },
    search: { lists: { '': notificationList } },
    load: () =>
      import('./pages/employee/notifications.tsx').then((page) => page.EmployeeNotificationsPage),
  }),
  profile: screen({
    path: '/employee/profile',
    title: 'Profile Settings',
    navigation: { group: null, label: 'Profile' },
    search: { texts: ['tab'] },
    load: () => import('./pages/employee/profile.tsx').then((page) => page.ProfilePage),
  }),
};

export const ADMIN_SCREENS = {
  dashboard: screen({
    path: '/admin/dashboard',
    title: 'Dashboard',
    navigation: { group: null, label: 'Dashboard' },
    search: {},
    load: () => import('./pages/admin/dashboard.tsx').then((page) => page.AdminDashboardPage),
  }),
  employees: screen({
    path: '/admin/employees',
    title: 'Employee Management',
    navigation: { group: 'People', label: 'Employees', waiting: 'applicants' },
    search: { lists: { '': employeeList }, texts: ['task'] },
    load: () => import('./pages/admin/employees.tsx').then((page) => page.EmployeesPage),
  }),
  employeeImport: screen({
    path: '/admin/employees/import',
    title: 'Import Employees',
    navigation: null,
    search: { lists: { '': importRowList } },
    load: () =>
      import('./pages/admin/employees/import.tsx').then((page) => page.ImportEmployeesPage),
  }),
  importUsualPay: screen({
    path: '/admin/employees/usual-pay',
    title: 'Import Usual Pay',
    navigation: null,
    search: {},
    load: () =>
      import('./pages/admin/employees/usual-pay.tsx').then((page) => page.ImportUsualPayPage),
  }),
  employee: screen({
    path: '/admin/employees/$id',
    title: null,
    navigation: null,
    search: {},
    load: () => import('./pages/admin/employees/$id.tsx').then((page) => page.EmployeePage),
  }),
  employeeDocuments: screen({
    path: '/admin/employees/$id/documents',
    title: null,
    navigation: null,
    search: { texts: ['tab', 'year', 'account'] },
    load: () =>
      import('./pages/admin/employees/$id/documents.tsx').then(
        (page) => page.EmployeeDocumentsPage,
      ),
  }),
  employeeDocument: screen({
    path: '/admin/employees/$id/documents/$document',
    title: null,
    navigation: null,
    search: { texts: ['print'] },
    load: () =>
      import('./pages/admin/employees/$id/documents/$document.tsx').then(
        (page) => page.EmployeeDocumentPage,
      ),
  }),
  kycReview: screen({
    path: '/admin/kyc-review',
    title: 'KYC Management',
    navigation: { group: 'People', label: 'KYC Review', waiting: 'kyc' },
    search: { lists: { '': reviewQueueList }, texts: ['application', 'documents'] },
    load: () => import('./pages/admin/kyc-review.tsx').then((page) => page.KycReviewPage),
  }),
  bankAccounts: screen({
    path: '/admin/bank-accounts',
    title: 'Bank Account Verification',
    navigation: { group: 'People', label: 'Bank Accounts', waiting: 'bankAccounts' },
    search: { lists: { '': bankAccountList }, texts: ['account'] },
    load: () => import('./pages/admin/bank-accounts.tsx').then((page) => page.BankAccountsPage),
  }),
  questions: screen({
    path: '/admin/questions',
    title: 'Questions',
    navigation: { group: 'People', label: 'Questions', waiting: 'questions' },
    search: { lists: { '': questionList }, texts: ['question'] },
    load: () => import('./pages/admin/questions.tsx').then((page) => page.QuestionsPage),
  }),
  payroll: screen({
    path: '/admin/payroll',
    title: 'Payroll Management',
    navigation: { group: 'Money', label: 'Payroll' },
    search: {
      lists: {
        '': payrollBatchList,
        lines: payrollLineList,
        paid: paidList,
        drafts: payrollDraftList,
      },
      texts: ['tab', 'batch', 'draft', 'group'],
    },
    load: () => import('./pages/admin/payroll.tsx').then((page) => page.PayrollPage),
  }),
  payrollFile: screen({
    path: '/admin/payroll/file',
    title: 'Amounts From a File',
    navigation: null,
    search: { texts: ['draft'] },
    load: () => import('./pages/admin/payroll/file.tsx').then((page) => page.PayrollFilePage),
  }),
  payrollReview: screen({
    path: '/admin/payroll/review',
    title: 'Review Payroll',
    navigation: null,
    search: { texts: ['draft'] },
    load: () => import('./pages/admin/payroll/review.tsx').then((page) => page.PayrollReviewPage),
  }),
  individualFunding: screen({
    path: '/admin/individual-funding',
    title: 'Individual Employee Funding',
    navigation: { group: 'Money', label: 'Individual Funding' },
    search: { lists: { '': fundableList } },
    load: () =>
      import('./pages/admin/individual-funding.tsx').then((page) => page.IndividualFundingPage),
  }),
  deposits: screen({
    path: '/admin/deposits',
    title: 'Pending Deposits',
    navigation: { group: 'Money', label: 'Deposits', waiting: 'deposits' },
    search: { lists: { '': depositList }, texts: ['deposit'] },
    load: () => import('./pages/admin/deposits.tsx').then((page) => page.DepositsPage),
  }),
  withdrawals: screen({
    path: '/admin/withdrawals',
    title: 'Withdrawal Management',
    navigation: { group: 'Money', label: 'Withdrawals', waiting: 'withdrawals' },
    search: { lists: { '': withdrawalList }, texts: ['request'] },
    load: () => import('./pages/admin/withdrawals.tsx').then((page) => page.WithdrawalsPage),
  }),
  bills: screen({
    path: '/admin/bills',
    title: 'Bill Payments',
    navigation: { group: 'Money', label: 'Bills', waiting: 'bills' },
    search: { lists: { '': billList }, texts: ['bill'] },
    load: () => import('./pages/admin/bills.tsx').then((page) => page.BillsPage),
  }),
  payouts: screen({
    path: '/admin/payouts',
    title: 'Payouts',
    navigation: {
      group: 'Money',
      label: 'Payouts',
      waiting: 'payouts',
      covers: ['/admin/returns'],
    },
    search: { texts: ['search', 'payees', 'on', 'page'] },
    load: () => import('./pages/admin/payouts.tsx').then((page) => page.PayoutsPage),
  }),
  payoutFile: screen({
    path: '/admin/payouts/$number',
    title: null,
    navigation: null,
    search: { texts: ['page'] },
    load: () => import('./pages/admin/payouts/$number.tsx').then((page) => page.PayoutFilePage),
  }),
  returns: screen({
    path: '/admin/returns',
    title: null,
    navigation: null,
    search: { texts: ['file', 'page'] },
    load: () => import('./pages/admin/returns.tsx').then((page) => page.ReturnsPage),
  }),
  transactions: screen({
    path: '/admin/transactions',
    title: 'Transaction Logs',
    navigation: { group: 'Money', label: 'Transactions' },
    search: { lists: { '': transactionList } },
    load: () => import('./pages/admin/transactions.tsx').then((page) => page.TransactionsPage),
  }),
  transaction: screen({
    path: '/admin/transactions/$id',
    title: null,
    navigation: null,
    search: {},
    load: () => import('./pages/admin/transactions/$id.tsx').then((page) => page.TransactionPage),
  }),
  companyBank: screen({
    path: '/admin/company-bank',
    title: 'Company Bank',
    navigation: { group: 'Company', label: 'Company Bank', waiting: 'bankLines' },
    search: { texts: ['statement', 'line', 'search', 'page'] },
    load: () => import('./pages/admin/company-bank.tsx').then((page) => page.CompanyBankPage),
  }),
  close: screen({
    path: '/admin/close',
    title: 'Close',
    navigation: { group: 'Company', label: 'Close' },
    search: { texts: ['month', 'tab', 'format'] },
    load: () => import('./pages/admin/close.tsx').then((page) => page.ClosePage),
  }),
  settings: screen({
    path: '/admin/settings',
    title: 'Admin Settings',
    navigation: { group: 'Company', label: 'Settings', covers: ['/admin/api'] },
    search: { texts: ['tab'] },
    load: () => import('./pages/admin/settings.tsx').then((page) => page.SettingsPage),
  }),
  companySetup: screen({
    path: '/admin/company-setup',
    title: 'Company Set-up',
    navigation: null,
    search: {},
    load: () => import('./pages/admin/company-setup.tsx').then((page) => page.CompanySetupPage),
  }),
  api: screen({
    path: '/admin/api',
    title: 'API Reference',
    navigation: null,
    search: {},
    load: () => import('./pages/admin/api.tsx').then((page) => page.ApiReferencePage),
  }),
  audit: screen({
    path: '/admin/audit',
    title: 'Audit',
    navigation: { group: 'Company', label: 'Audit' },
    search: { lists: { '': auditList }, texts: ['record'] },
    load: () => import('./pages/admin/audit.tsx').then((page) => page.AuditPage),
  }),
  notifications: screen({
    path: '/admin/notifications',
    title: 'Notifications',
    navigation: null,
    search: { lists: { '': notificationList } },
    load: () =>
      import('./pages/admin/notifications.tsx').then((page) => page.AdminNotificationsPage),
  }),
  profile: screen({
    path: '/admin/profile',
    title: 'Profile Settings',
    navigation: { group: 'Company', label: 'Profile' },
    search: {},
    load: () => import('./pages/admin/profile.tsx').then((page) => page.AdminProfilePage),
  }),
};
