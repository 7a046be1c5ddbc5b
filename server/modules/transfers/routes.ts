import type { automaticTransferRoutes } from '#contract/routes/automatic-transfers.ts';
import { command, doneAfter, query } from '#server/http/handlers.ts';
import type { Handlers } from '#server/http/handlers.ts';
import type { Services } from '#server/services.ts';
import { changeTransfers, pauseTransfers, skipTransfers } from './change-plan.ts';
import { getTransfers } from './queries.ts';
import { listLineTransfers, takeBackTransfer } from './take-back.ts';

export function transferHandlers(
  services: Services,
): Pick<Handlers, keyof typeof automaticTransferRoutes> {
  return {
    getAutomaticTransfers: query((db, { actor }) => getTransfers(db, services, actor.id)),
    changeAutomaticTransfers: command((tx, by, { params, body }) =>
      changeTransfers(tx, services, by, { walletId: params.id, ...body }),
    ),
    pauseAutomaticTransfers: command((tx, by, { params }) =>
      pauseTransfers(tx, services, by, { walletId: params.id, isPaused: true }),
    ),
    resumeAutomaticTransfers: command((tx, by, { params }) =>
      pauseTransfers(tx, services, by, { walletId: params.id, isPaused: false }),
    ),
    skipAutomaticTransfers: command((tx, by, { params, body }) =>
      skipTransfers(tx, services, by, { walletId: params.id, ...body }),
    ),
    adminGetLineTransfers: query((db, { actor }, { params }) =>
      listLineTransfers(db, params.id, actor.id),
    ),
    adminTakeBackTransfer: doneAfter((tx, by, { params }) =>
      takeBackTransfer(tx, services, by, params.id),
    ),
  };
}
