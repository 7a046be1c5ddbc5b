/** The reads behind the screens and exports that name a sum of the company's money. */
export { listAccountDocuments } from '#server/modules/account-documents/list.ts';
export { makeDocument } from '#server/modules/account-documents/make-document.ts';
export { documentScope } from '#server/modules/account-documents/scope.ts';
export { getAdminDashboard } from '#server/modules/activity/admin-dashboard.ts';
export { getEmployeeDashboard } from '#server/modules/activity/employee-dashboard.ts';
export { employees } from '#server/modules/activity/employee-list.ts';
export { paidPeople } from '#server/modules/activity/paid-list.ts';
export { paidScope } from '#server/modules/activity/paid-scope.ts';
export { paidTotals } from '#server/modules/activity/paid-totals.ts';
export { transactionLog } from '#server/modules/history/log/list.ts';
export { logScope } from '#server/modules/history/log/scope.ts';
export { transactionStats } from '#server/modules/history/log/stats.ts';
export { ownHistory } from '#server/modules/history/own-history.ts';
export { getHistoryTotals } from '#server/modules/history/totals.ts';
export { getPayrollStats } from '#server/modules/payroll/queries.ts';
export { totalOwed } from '#server/modules/wallets/total-owed.ts';
