import { accountDocumentRoutes } from './account-documents.ts';
import { accessLogRoutes } from './access-log.ts';
import { apiKeyRoutes } from './api-keys.ts';
import { auditRoutes } from './audit.ts';
import { automaticTransferRoutes } from './automatic-transfers.ts';
import { avatarRoutes } from './avatars.ts';
import { questionRoutes } from './questions.ts';
import { bankAccountRoutes } from './bank-accounts.ts';
import { billRoutes } from './bills.ts';
import { adminDashboardRoutes } from './admin-dashboard.ts';
import { adminKycRoutes } from './admin-kyc.ts';
import type { RouteSpec } from './define.ts';
import { calendarFeedRoutes } from './calendar-feed.ts';
import { depositRoutes } from './deposits.ts';
import { employeeRoutes } from './employee.ts';
import { employeeImportRoutes } from './employee-imports.ts';
import { employeeDirectoryRoutes } from './employees.ts';
import { booksRoutes } from './books.ts';
import { failedDeliveryRoutes } from './failed-deliveries.ts';
import { fundingRoutes } from './funding.ts';
import { historyRoutes } from './history.ts';
import { adminsRoutes } from './admins.ts';
import { identityRoutes } from './identity.ts';
import { kycDocumentRoutes } from './kyc-documents.ts';
import { kycRoutes } from './kyc.ts';
import { notificationRoutes } from './notifications.ts';
import { passkeyRoutes } from './passkeys.ts';
import { paymentRoutes } from './payments.ts';
import { payrollDraftRoutes } from './payroll-drafts.ts';
import { payrollFileRoutes } from './payroll-files.ts';
import { payrollOrderRoutes } from './payroll-order.ts';
import { payrollReversalRoutes } from './payroll-reversals.ts';
import { recoveryRoutes } from './recoveries.ts';
import { payrollRoutes } from './payroll.ts';
import { payoutRoutes } from './payouts.ts';
import { returnRoutes } from './returns.ts';
import { peopleRoutes } from './people.ts';
import { proofRoutes } from './proofs.ts';
import { savedViewRoutes } from './saved-views.ts';
import { securityRoutes } from './security.ts';
import { standingBillRoutes } from './standing-bills.ts';
import { closingRoutes } from './closing.ts';
import { companyBankRoutes } from './company-bank.ts';
import { companySetupRoutes } from './company-setup.ts';
import { settingsRoutes } from './settings.ts';
import { shellRoutes } from './shell.ts';
import { transactionRoutes } from './transactions.ts';
import { webhookRoutes } from './webhooks.ts';
import { usualPayRoutes } from './usual-pay.ts';
import { withdrawalRoutes } from './withdrawals.ts';

/** Every operation of the API, in the order of its OpenAPI document. */
export const ROUTES = {
  ...identityRoutes,
  ...passkeyRoutes,
  ...shellRoutes,
  ...avatarRoutes,
  ...notificationRoutes,
  ...calendarFeedRoutes,
  ...employeeRoutes,
  ...historyRoutes,
  ...proofRoutes,
  ...accountDocumentRoutes,
  ...bankAccountRoutes,
  ...questionRoutes,
  ...kycRoutes,
  ...kycDocumentRoutes,
  ...accessLogRoutes,
  ...adminKycRoutes,
  ...settingsRoutes,
  ...companySetupRoutes,
  ...adminDashboardRoutes,
  ...employeeDirectoryRoutes,
  ...peopleRoutes,
  ...adminsRoutes,
  ...apiKeyRoutes,
  ...webhookRoutes,
  ...employeeImportRoutes,
  ...usualPayRoutes,
  ...savedViewRoutes,
  ...securityRoutes,
  ...booksRoutes,
  ...failedDeliveryRoutes,
  ...transactionRoutes,
  ...auditRoutes,
  ...depositRoutes,
  ...billRoutes,
  ...payoutRoutes,
  ...returnRoutes,
  ...withdrawalRoutes,
  ...paymentRoutes,
  ...standingBillRoutes,
  ...payrollOrderRoutes,
  ...automaticTransferRoutes,
  ...payrollRoutes,
  ...payrollReversalRoutes,
  ...recoveryRoutes,
  ...payrollDraftRoutes,
  ...payrollFileRoutes,
  ...fundingRoutes,
  ...closingRoutes,
  ...companyBankRoutes,
} satisfies Record<string, RouteSpec>;
