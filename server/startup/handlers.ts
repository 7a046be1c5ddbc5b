import type { Handlers } from '#server/http/handlers.ts';
import { accessLogHandlers } from '#server/modules/access-log/index.ts';
import { accountDocumentHandlers } from '#server/modules/account-documents/index.ts';
import { activityHandlers } from '#server/modules/activity/index.ts';
import { bankAccountHandlers } from '#server/modules/bank-accounts/index.ts';
import { booksHandlers } from '#server/modules/books/index.ts';
import { companyHandlers } from '#server/modules/company/index.ts';
import { deliveryHandlers } from '#server/modules/deliveries/index.ts';
import { depositHandlers } from '#server/modules/deposits/index.ts';
import { employeeHandlers } from '#server/modules/employees/index.ts';
import { historyHandlers } from '#server/modules/history/index.ts';
import {
  adminsHandlers,
  apiKeyHandlers,
  calendarFeedHandlers,
  identityHandlers,
  peopleHandlers,
} from '#server/modules/identity/index.ts';
import type { Identity } from '#server/modules/identity/index.ts';
import { kycHandlers, reviewHandlers, UploadQueue } from '#server/modules/kyc/index.ts';
import { notificationHandlers } from '#server/modules/notifications/index.ts';
import type { UnsubscribeLinks } from '#server/modules/notifications/index.ts';
import { paymentHandlers } from '#server/modules/payments/index.ts';
import { payrollHandlers } from '#server/modules/payroll/index.ts';
import { questionHandlers } from '#server/modules/questions/index.ts';
import { savedViewHandlers } from '#server/modules/saved-views/index.ts';
import { securityHandlers } from '#server/modules/security/index.ts';
import { walletHandlers } from '#server/modules/wallets/index.ts';
import { webhookHandlers } from '#server/modules/webhooks/index.ts';
import { withdrawalHandlers } from '#server/modules/withdrawals/index.ts';
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
    ...payrollHandlers(services),
    ...booksHandlers(),
    ...deliveryHandlers(),
    ...historyHandlers(services),
    ...accountDocumentHandlers(services),
    ...questionHandlers(services),
    ...activityHandlers(services),
  };
}
