import type { Handlers } from '#server/http/handlers.ts';
import { activityHandlers } from '#server/modules/activity/index.ts';
import { bankAccountHandlers } from '#server/modules/bank-accounts/index.ts';
import { booksHandlers } from '#server/modules/books/index.ts';
import { deliveryHandlers } from '#server/modules/deliveries/index.ts';
import { depositHandlers } from '#server/modules/deposits/index.ts';
import { historyHandlers } from '#server/modules/history/index.ts';
import { identityHandlers } from '#server/modules/identity/index.ts';
import type { Identity } from '#server/modules/identity/index.ts';
import { kycHandlers, reviewHandlers } from '#server/modules/kyc/index.ts';
import { notificationHandlers } from '#server/modules/notifications/index.ts';
import { payrollHandlers } from '#server/modules/payroll/index.ts';
import { settingsHandlers } from '#server/modules/settings/index.ts';
import { walletHandlers } from '#server/modules/wallets/index.ts';
import { withdrawalHandlers } from '#server/modules/withdrawals/index.ts';
import type { Services } from '#server/services.ts';

/** Every operation of the contract and who answers it. One that nobody answers does not compile. */
export function composeHandlers(services: Services, identity: Identity): Handlers {
  return {
    ...identityHandlers(identity),
    ...settingsHandlers(services),
    ...notificationHandlers(services),
    ...walletHandlers(services),
    ...bankAccountHandlers(services),
    ...kycHandlers(services),
    ...reviewHandlers(services),
    ...depositHandlers(services),
    ...withdrawalHandlers(services),
    ...payrollHandlers(services),
    ...booksHandlers(services),
    ...deliveryHandlers(),
    ...historyHandlers(services),
    ...activityHandlers(services),
  };
}
