import type { usualPayRoutes } from '#contract/routes/usual-pay.ts';
import { command, query } from '#server/http/handlers.ts';
import type { Handlers } from '#server/http/handlers.ts';
import type { Services } from '#server/services.ts';
import { usualPayActs } from './acts.ts';
import { changeUsualPay } from './change-usual-pay.ts';
import { readUsualPay } from './queries.ts';

export function usualPayHandlers(services: Services): Pick<Handlers, keyof typeof usualPayRoutes> {
  return {
    adminGetUsualPay: query((db, { actor }, { params }) =>
      readUsualPay(db, services, actor, params.id),
    ),
    adminChangeUsualPay: command((tx, by, { params, body }) =>
      changeUsualPay(tx, services, by, { ...params, ...body }),
    ),
    ...usualPayActs.handlers(services),
  };
}
