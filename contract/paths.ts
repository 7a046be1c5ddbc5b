/**
 * Where every operation lives. Kept free of zod so that the browser's client carries these few
 * strings and nothing else; the definitions in routes/ take method and path from here.
 */
export const PATHS = {
  // identity
  getSession: ['GET', '/api/session'],
  signUp: ['POST', '/api/auth/sign-up'],
  signIn: ['POST', '/api/auth/sign-in'],
  signOut: ['POST', '/api/auth/sign-out'],
  requestPasswordReset: ['POST', '/api/auth/forgot-password'],
  resetPassword: ['POST', '/api/auth/reset-password'],
  changePassword: ['POST', '/api/auth/change-password'],
  requestEmailChange: ['POST', '/api/auth/email'],
  confirmEmailChange: ['POST', '/api/auth/email/confirm'],
  reportEmailChange: ['POST', '/api/auth/email/report'],
  reportNotice: ['POST', '/api/auth/notices/report'],
  verifySecondFactor: ['POST', '/api/auth/second-factor'],
  beginPasskeySignIn: ['POST', '/api/auth/passkey/sign-in/begin'],
  signInWithPasskey: ['POST', '/api/auth/passkey/sign-in'],
  beginPasskey: ['POST', '/api/auth/passkeys/begin'],
  addPasskey: ['POST', '/api/auth/passkeys'],
  removePasskey: ['DELETE', '/api/auth/passkeys/{id}'],
  getMySecurity: ['GET', '/api/auth/security'],
  setUpTwoFactor: ['POST', '/api/auth/two-factor'],
  turnOnTwoFactor: ['POST', '/api/auth/two-factor/on'],
  turnOffTwoFactor: ['POST', '/api/auth/two-factor/off'],
  renewRecoveryCodes: ['POST', '/api/auth/two-factor/recovery-codes'],
  confirmIdentity: ['POST', '/api/auth/confirm'],
  checkConfirmation: ['POST', '/api/auth/confirm/check'],
  confirmEmail: ['POST', '/api/auth/confirm-email'],
  listSessions: ['GET', '/api/auth/sessions'],
  revokeSession: ['DELETE', '/api/auth/sessions/{id}'],
  revokeOtherSessions: ['POST', '/api/auth/sessions/revoke-others'],
  redeemInvite: ['POST', '/api/auth/redeem-invite'],

  // what the layouts show
  getShell: ['GET', '/api/shell'],
  listNotifications: ['GET', '/api/notifications'],
  countNotifications: ['GET', '/api/notifications/count'],
  deleteNotification: ['DELETE', '/api/notifications/{id}'],
  restoreNotification: ['POST', '/api/notifications/{id}/restore'],
  markNotificationRead: ['POST', '/api/notifications/{id}/read'],
  markAllNotificationsRead: ['POST', '/api/notifications/read-all'],
  getEmailPreferences: ['GET', '/api/email-preferences'],
  changeEmailPreferences: ['PUT', '/api/email-preferences'],
  unsubscribe: ['POST', '/api/unsubscribe'],

  // employee
  listWallets: ['GET', '/api/wallets'],
  revealWallet: ['POST', '/api/wallets/{id}/reveal'],
  getEmployeeDashboard: ['GET', '/api/employee/dashboard'],
  listHistory: ['GET', '/api/history'],
  countHistory: ['GET', '/api/history/count'],
  exportHistory: ['GET', '/api/history/export'],
  getHistoryEvent: ['GET', '/api/history/events/{id}'],
  getHistoryTotals: ['GET', '/api/history/totals'],
  getAccountSpan: ['GET', '/api/history/span'],
  listAccountDocuments: ['GET', '/api/account-documents'],
  getAccountDocument: ['GET', '/api/account-documents/{id}'],
  downloadAccountDocument: ['GET', '/api/account-documents/{id}/pdf'],
  listReceipts: ['GET', '/api/receipts'],
  countReceipts: ['GET', '/api/receipts/count'],
  openFurtherWallet: ['POST', '/api/wallets'],
  listBankAccounts: ['GET', '/api/bank-accounts'],
  addBankAccount: ['POST', '/api/bank-accounts'],
  updateBankAccount: ['PUT', '/api/bank-accounts/{id}'],
  removeBankAccount: ['DELETE', '/api/bank-accounts/{id}'],
  revealBankAccount: ['POST', '/api/bank-accounts/{id}/reveal'],
  lookUpRoutingNumber: ['GET', '/api/routing-numbers/{routingNumber}'],
  listWithdrawals: ['GET', '/api/withdrawals'],
  getWithdrawal: ['GET', '/api/withdrawals/{id}'],
  requestWithdrawal: ['POST', '/api/withdrawals'],
  freezePayouts: ['POST', '/api/security/freeze-payouts'],
  cancelWithdrawal: ['POST', '/api/withdrawals/{id}/cancel'],

  listDeposits: ['GET', '/api/deposits'],
  getDepositOptions: ['GET', '/api/deposits/options'],
  getDeposit: ['GET', '/api/deposits/{id}'],
  requestDeposit: ['POST', '/api/deposits'],
  cancelDeposit: ['POST', '/api/deposits/{id}/cancel'],
  uploadCheckImage: ['POST', '/api/deposits/{id}/images/{side}'],
  getCheckImage: ['GET', '/api/deposit-images/{id}'],

  findRecipient: ['POST', '/api/payments/recipient'],
  payPerson: ['POST', '/api/payments/people'],
  listPayees: ['GET', '/api/payees'],
  addPayee: ['POST', '/api/payees'],
  updatePayee: ['PUT', '/api/payees/{id}'],
  removePayee: ['DELETE', '/api/payees/{id}'],
  listScheduledBills: ['GET', '/api/bills/scheduled'],
  getBill: ['GET', '/api/bills/{id}'],
  scheduleBill: ['POST', '/api/bills'],
  changeBill: ['PUT', '/api/bills/{id}'],
  cancelBill: ['POST', '/api/bills/{id}/cancel'],
  listStandingBills: ['GET', '/api/standing-bills'],
  createStandingBill: ['POST', '/api/standing-bills'],
  stopStandingBill: ['POST', '/api/standing-bills/{id}/stop'],

  // employee: identity
  getMyApplication: ['GET', '/api/kyc/application'],
  saveMyApplication: ['PUT', '/api/kyc/application'],
  submitMyApplication: ['POST', '/api/kyc/application/submit'],
  startNewApplication: ['POST', '/api/kyc/application/start-new'],
  getMyVerification: ['GET', '/api/kyc/verification'],
  listMyAccessLog: ['GET', '/api/kyc/access-log'],
  uploadDocument: ['POST', '/api/kyc/documents/{type}'],
  createDocumentLink: ['POST', '/api/kyc/documents/{id}/link'],
  /** What a link points at. */
  getDocument: ['GET', '/api/documents/{id}'],

  // admin: identity
  adminListReviewQueue: ['GET', '/api/admin/kyc/queue'],
  adminCountReviewQueue: ['GET', '/api/admin/kyc/queue/count'],
  adminGetReviewCounts: ['GET', '/api/admin/kyc/counts'],
  adminGetReviewNeighbours: ['GET', '/api/admin/kyc/queue/{id}/neighbours'],
  adminClaimReview: ['POST', '/api/admin/kyc/queue/{id}/claim'],
  adminReleaseReview: ['POST', '/api/admin/kyc/queue/{id}/release'],
  adminAddReviewNote: ['POST', '/api/admin/kyc/queue/{id}/notes'],
  adminGetApplication: ['GET', '/api/admin/kyc/applications/{id}'],
  adminMoveToReview: ['POST', '/api/admin/kyc/applications/{id}/move-to-review'],
  adminApproveApplication: ['POST', '/api/admin/kyc/applications/{id}/approve'],
  adminRejectApplication: ['POST', '/api/admin/kyc/applications/{id}/reject'],
  adminRequestResubmission: ['POST', '/api/admin/kyc/applications/{id}/request-resubmission'],
  adminGetVerification: ['GET', '/api/admin/kyc/verifications/{id}'],
  adminApproveDocument: ['POST', '/api/admin/kyc/documents/{id}/approve'],
  adminRejectDocument: ['POST', '/api/admin/kyc/documents/{id}/reject'],
  adminCreateDocumentLink: ['POST', '/api/admin/kyc/documents/{id}/link'],

  // admin: people
  adminListEmployees: ['GET', '/api/admin/employees'],
  adminCountEmployees: ['GET', '/api/admin/employees/count'],
  adminExportEmployees: ['GET', '/api/admin/employees/export'],
  adminAddEmployee: ['POST', '/api/admin/employees'],
  adminGetEmployee: ['GET', '/api/admin/employees/{id}'],
  adminChangePosition: ['PUT', '/api/admin/employees/{id}/position'],
  adminOpenWallet: ['POST', '/api/admin/employees/{id}/wallets'],
  adminCloseWallet: ['POST', '/api/admin/employees/{id}/wallets/close'],
  adminFreezePayouts: ['POST', '/api/admin/people/{id}/freeze-payouts'],
  adminCreatePasswordLink: ['POST', '/api/admin/people/{id}/password-link'],
  adminListApplicants: ['GET', '/api/admin/applicants'],
  adminCountApplicants: ['GET', '/api/admin/applicants/count'],
  adminGetPerson: ['GET', '/api/admin/people/{id}'],
  adminAcceptApplicant: ['POST', '/api/admin/people/{id}/accept'],
  adminDeactivatePerson: ['POST', '/api/admin/people/{id}/deactivate'],
  adminReactivatePerson: ['POST', '/api/admin/people/{id}/reactivate'],
  adminEndSessions: ['POST', '/api/admin/people/{id}/end-sessions'],
  adminResetTwoFactor: ['POST', '/api/admin/people/{id}/reset-two-factor'],
  adminReleasePayouts: ['POST', '/api/admin/people/{id}/release-payouts'],
  adminRevokeAdmin: ['POST', '/api/admin/people/{id}/revoke-admin'],

  // admin: administrators and their invites
  adminListAdmins: ['GET', '/api/admin/admins'],
  adminListInvites: ['GET', '/api/admin/invites'],
  adminCreateInvite: ['POST', '/api/admin/invites'],
  adminRevokeInvite: ['POST', '/api/admin/invites/{id}/revoke'],

  // admin: API keys
  adminListApiKeys: ['GET', '/api/admin/api-keys'],
  adminCreateApiKey: ['POST', '/api/admin/api-keys'],
  adminRevokeApiKey: ['POST', '/api/admin/api-keys/{id}/revoke'],

  // admin: webhooks
  adminListWebhooks: ['GET', '/api/admin/webhooks'],
  adminCreateWebhook: ['POST', '/api/admin/webhooks'],
  adminRotateWebhookSecret: ['POST', '/api/admin/webhooks/{id}/rotate-secret'],
  adminRemoveWebhook: ['POST', '/api/admin/webhooks/{id}/remove'],
  adminTestWebhook: ['POST', '/api/admin/webhooks/{id}/test'],
  adminListWebhookDeliveries: ['GET', '/api/admin/webhooks/{id}/deliveries'],
  adminRedeliverWebhook: ['POST', '/api/admin/webhook-deliveries/{id}/redeliver'],

  // admin: the log of transactions
  adminListTransactions: ['GET', '/api/admin/transactions'],
  adminExportTransactions: ['GET', '/api/admin/transactions/export'],
  adminTransactionStats: ['GET', '/api/admin/transactions/stats'],
  adminGetTransaction: ['GET', '/api/admin/transactions/{id}'],

  // admin: the audit trail
  adminListAudit: ['GET', '/api/admin/audit'],
  adminExportAudit: ['GET', '/api/admin/audit/export'],
  adminGetAuditEvent: ['GET', '/api/admin/audit/{id}'],

  // admin: settings
  adminGetSettings: ['GET', '/api/admin/settings'],
  adminUpdateSettings: ['PUT', '/api/admin/settings'],
  adminAcceptSettingsProposal: ['POST', '/api/admin/settings/proposals/{id}/accept'],
  adminDiscardSettingsProposal: ['POST', '/api/admin/settings/proposals/{id}/discard'],

  // admin: bank accounts
  adminListBankAccounts: ['GET', '/api/admin/bank-accounts'],
  adminCountBankAccounts: ['GET', '/api/admin/bank-accounts/count'],
  adminVerifyBankAccount: ['POST', '/api/admin/bank-accounts/{id}/verify'],
  adminRejectBankAccount: ['POST', '/api/admin/bank-accounts/{id}/reject'],
  adminRevealBankAccount: ['POST', '/api/admin/bank-accounts/{id}/reveal'],

  // admin: dashboard and deposits
  adminGetDashboard: ['GET', '/api/admin/dashboard'],
  adminListWaiting: ['GET', '/api/admin/waiting'],
  adminListDeposits: ['GET', '/api/admin/deposits'],
  adminCountDeposits: ['GET', '/api/admin/deposits/count'],
  adminExportDeposits: ['GET', '/api/admin/deposits/export'],
  adminDepositStats: ['GET', '/api/admin/deposits/stats'],
  adminGetDeposit: ['GET', '/api/admin/deposits/{id}'],
  adminGetCheckImage: ['GET', '/api/admin/deposit-images/{id}'],
  adminApproveDeposit: ['POST', '/api/admin/deposits/{id}/approve'],
  adminRejectDeposit: ['POST', '/api/admin/deposits/{id}/reject'],

  // admin: what could not be delivered
  adminListFailedDeliveries: ['GET', '/api/admin/failed-deliveries'],
  adminCountFailedDeliveries: ['GET', '/api/admin/failed-deliveries/count'],
  adminRetryAllFailedDeliveries: ['POST', '/api/admin/failed-deliveries/retry-all'],
  adminRetryFailedDelivery: ['POST', '/api/admin/failed-deliveries/{id}/retry'],
  adminDiscardFailedDelivery: ['POST', '/api/admin/failed-deliveries/{id}/discard'],

  // admin: verification of the books
  adminGetBooks: ['GET', '/api/admin/books'],
  adminVerifyBooks: ['POST', '/api/admin/books/verify'],

  // admin: withdrawals
  adminListBills: ['GET', '/api/admin/bills'],
  adminCountBills: ['GET', '/api/admin/bills/count'],
  adminGetBill: ['GET', '/api/admin/bills/{id}'],
  adminRevealPayee: ['POST', '/api/admin/bills/{id}/reveal'],
  adminSendBill: ['POST', '/api/admin/bills/{id}/send'],
  adminCompleteBill: ['POST', '/api/admin/bills/{id}/complete'],
  adminStopBill: ['POST', '/api/admin/bills/{id}/stop'],
  adminReturnBill: ['POST', '/api/admin/bills/{id}/return'],

  adminListWithdrawals: ['GET', '/api/admin/withdrawals'],
  adminCountWithdrawals: ['GET', '/api/admin/withdrawals/count'],
  adminWithdrawalStats: ['GET', '/api/admin/withdrawals/stats'],
  adminExportWithdrawals: ['GET', '/api/admin/withdrawals/export'],
  adminGetWithdrawal: ['GET', '/api/admin/withdrawals/{id}'],
  adminApproveWithdrawal: ['POST', '/api/admin/withdrawals/{id}/approve'],
  adminRejectWithdrawal: ['POST', '/api/admin/withdrawals/{id}/reject'],
  adminStartWithdrawal: ['POST', '/api/admin/withdrawals/{id}/start-processing'],
  adminCompleteWithdrawal: ['POST', '/api/admin/withdrawals/{id}/complete'],
  adminStopWithdrawal: ['POST', '/api/admin/withdrawals/{id}/stop'],
  adminReturnWithdrawal: ['POST', '/api/admin/withdrawals/{id}/return'],

  // admin: payroll
  adminGetPayrollStats: ['GET', '/api/admin/payroll/stats'],
  adminPreviewPayroll: ['POST', '/api/admin/payroll/preview'],
  adminSendPayroll: ['POST', '/api/admin/payroll/batches'],
  adminListPayrollBatches: ['GET', '/api/admin/payroll/batches'],
  adminCountPayrollBatches: ['GET', '/api/admin/payroll/batches/count'],
  adminGetPayrollBatch: ['GET', '/api/admin/payroll/batches/{id}'],
  adminListPayrollLines: ['GET', '/api/admin/payroll/batches/{id}/lines'],
  adminCountPayrollLines: ['GET', '/api/admin/payroll/batches/{id}/lines/count'],
  adminApprovePayroll: ['POST', '/api/admin/payroll/batches/{id}/approve'],
  adminDeclinePayroll: ['POST', '/api/admin/payroll/batches/{id}/decline'],
  adminRetryPayroll: ['POST', '/api/admin/payroll/batches/{id}/retry'],

  // admin: individual funding
  adminGetFundingStats: ['GET', '/api/admin/funding/stats'],
  adminListFundable: ['GET', '/api/admin/funding/employees'],
  adminCountFundable: ['GET', '/api/admin/funding/employees/count'],
  adminGetFundingAccounts: ['GET', '/api/admin/funding/employees/{id}'],
  adminFundEmployee: ['POST', '/api/admin/funding/employees/{id}'],
} as const satisfies Record<string, readonly [method: string, path: `/api/${string}`]>;

export type RouteName = keyof typeof PATHS;

/** The live stream of what changed (text/event-stream); not a JSON operation. */
export const EVENTS_PATH = '/api/events';
export const OPENAPI_PATH = '/api/openapi.json';

/** What a live event says has changed; the browser asks again for what it shows of it. */
export const EVENT_TOPICS = [
  'wallets',
  'bank-accounts',
  'withdrawals',
  'deposits',
  'payments',
  'payroll',
  'kyc',
  'notifications',
  'sessions',
  'deliveries',
  'books',
  'people',
  'settings',
] as const;
export type EventTopic = (typeof EVENT_TOPICS)[number];
