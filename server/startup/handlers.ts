import type { Handlers } from '#server/http/handlers.ts';
import { accessLogHandlers } from '#server/modules/access-log/routes.ts';
import { accountDocumentHandlers } from '#server/modules/account-documents/routes.ts';
import { activityHandlers } from '#server/modules/activity/routes.ts';
import { bankAccountHandlers } from '#server/modules/bank-accounts/routes.ts';
import { booksHandlers } from '#server/modules/books/routes.ts';
import { closingHandlers } from '#server/modules/closing/routes.ts';
import { companyBankHandlers } from '#server/modules/company-bank/routes.ts';
import { companyHandlers } from '#server/modules/company/routes.ts';
import { deliveryHandlers } from '#server/modules/deliveries/routes.ts';
import { depositHandlers } from '#server/modules/deposits/routes.ts';
import { employeeHandlers } from '#server/modules/employees/routes.ts';
import { historyHandlers } from '#server/modules/history/routes.ts';
import { apiKeyHandlers } from '#server/modules/identity/api-keys/api-keys-routes.ts';
import { calendarFeedHandlers } from '#server/modules/identity/calendar/calendar-feed-routes.ts';
import type { Identity } from '#server/modules/identity/index.ts';
import { adminsHandlers } from '#server/modules/identity/invites/admins-routes.ts';
import { peopleHandlers } from '#server/modules/identity/people/people-routes.ts';
import { identityHandlers } from '#server/modules/identity/routes.ts';
import { UploadQueue } from '#server/modules/kyc/index.ts';
import { reviewHandlers } from '#server/modules/kyc/review/routes.ts';
import { kycHandlers } from '#server/modules/kyc/routes.ts';
import type { UnsubscribeLinks } from '#server/modules/notifications/index.ts';
import { notificationHandlers } from '#server/modules/notifications/routes.ts';
import { paymentHandlers } from '#server/modules/payments/routes.ts';
import { payoutHandlers } from '#server/modules/payouts/routes.ts';
import { payrollHandlers } from '#server/modules/payroll/routes.ts';
import { questionHandlers } from '#server/modules/questions/routes.ts';
import { savedViewHandlers } from '#server/modules/saved-views/routes.ts';
import { transferHandlers } from '#server/modules/transfers/routes.ts';
import { securityHandlers } from '#server/modules/security/routes.ts';
import { walletHandlers } from '#server/modules/wallets/routes.ts';
import { usualPayHandlers } from '#server/modules/usual-pay/routes.ts';
import { webhookHandlers } from '#server/modules/webhooks/routes.ts';
import { withdrawalHandlers } from '#server/modules/withdrawals/routes.ts';
import type { Services } from '#server/services.ts';

/** Every operation of the contract and who answers it. One that nobody answers does not compile. */
export function composeHandlers(
  services: Services,
  identity: Identity,
  links: UnsubscribeLinks,
): Handlers {
  // One for all images: it bounds the memory that they take together.
  const uploads = new UploadQueue();
  return {
    ...identityHandlers(identity),
    ...peopleHandlers(services, identity),
    ...adminsHandlers(services, identity),
    ...apiKeyHandlers(services),
    ...calendarFeedHandlers(identity),
    ...webhookHandlers(services),
    ...employeeHandlers(services, identity, uploads),
    ...savedViewHandlers(services),
    ...securityHandlers(services),
    ...companyHandlers(services, identity),
    ...notificationHandlers(services, links),
    ...walletHandlers(services),
    ...bankAccountHandlers(services),
    ...accessLogHandlers(),
    ...kycHandlers(services, uploads),
    ...reviewHandlers(services, identity),
    ...depositHandlers(services, uploads),
    ...withdrawalHandlers(services),
    ...paymentHandlers(services, identity),
    ...usualPayHandlers(services),
    ...transferHandlers(services),
    ...payoutHandlers(services),
    ...payrollHandlers(services),
    ...booksHandlers(),
    ...deliveryHandlers(),
    ...historyHandlers(services),
    ...accountDocumentHandlers(services),
    ...questionHandlers(services),
    ...closingHandlers(services),
    ...companyBankHandlers(services),
    ...activityHandlers(services),
  };
}
