import type { withdrawalRoutes } from '#contract/routes/withdrawals.ts';
import type { Handlers } from '#server/http/handlers.ts';
import { command, query } from '#server/http/handlers.ts';
import { listHandlers } from '#server/http/list-handlers.ts';
import type { Services } from '#server/services.ts';
import { exportOf, readThingScope } from '#server/modules/acts/index.ts';
import { adminWithdrawals } from './admin-list.ts';
import { payOutLeaver } from './pay-out-leaver.ts';
import { ownWithdrawals } from './own-list.ts';
import * as queries from './queries.ts';
import { withdrawalActs } from './acts.ts';
import { revealWithdrawals } from './reveal-withdrawals.ts';
import { requestWithdrawal } from './request-withdrawal.ts';
import { resendWithdrawal } from './resend-withdrawal.ts';

export function withdrawalHandlers(
  services: Services,
): Pick<Handlers, keyof typeof withdrawalRoutes> {
  return {
    ...listHandlers(ownWithdrawals, readThingScope(services)),
    getWithdrawal: query((db, by, { params }) =>
      queries.getOwnWithdrawal(db, services, by, params.id),
    ),
    requestWithdrawal: command((tx, by, { body }) => requestWithdrawal(tx, services, by, body)),
    resendWithdrawal: command((tx, by, { params, body }) =>
      resendWithdrawal(tx, services, by, { id: params.id, ...body }),
    ),
    ...listHandlers(adminWithdrawals, readThingScope(services), exportOf(services, 'withdrawals')),
    adminWithdrawalStats: query((db) => queries.adminWithdrawalStats(db)),
    adminGetWithdrawal: query((db, by, { params }) =>
      queries.getAdminWithdrawal(db, services, by, params.id),
    ),
    adminPayOutLeaver: command((tx, by, { params, body }) =>
      payOutLeaver(tx, services, by, { personId: params.id, ...body }),
    ),
    adminRevealWithdrawals: command((tx, by, { body }) =>
      revealWithdrawals(tx, services, by, body.ids),
    ),
    ...withdrawalActs.handlers(services),
  };
}
