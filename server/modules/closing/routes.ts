import type { closingRoutes } from '#contract/routes/closing.ts';
import { command, query } from '#server/http/handlers.ts';
import type { Handlers } from '#server/http/handlers.ts';
import type { Services } from '#server/services.ts';
import { mapAccount } from './chart.ts';
import { closeMonth } from './close-month.ts';
import { exportJournal } from './export-journal.ts';
import { getMonth, getMonths } from './present-months.ts';
import { acceptReopening, discardReopening, proposeReopening } from './reopenings.ts';

export function closingHandlers(services: Services): Pick<Handlers, keyof typeof closingRoutes> {
  return {
    adminListMonths: query((db) => getMonths(db, services)),
    adminGetMonth: query((db, { actor }, { params }) =>
      getMonth(db, services, { ...params, actorId: actor.id }),
    ),
    adminCloseMonth: command(async (tx, by, { params, body }) => {
      await closeMonth(tx, services, by, { ...params, ...body });
      return getMonth(tx, services, { ...params, actorId: by.actor.id });
    }),
    adminProposeReopening: command(async (tx, by, { params, body }) => {
      await proposeReopening(tx, services, by, { ...params, ...body });
      return getMonth(tx, services, { ...params, actorId: by.actor.id });
    }),
    adminAcceptReopening: command(async (tx, by, { params }) => {
      const month = await acceptReopening(tx, services, by, params.id);
      return getMonth(tx, services, { month, actorId: by.actor.id });
    }),
    adminDiscardReopening: command((tx, by, { params }) =>
      discardReopening(tx, services, by, params.id),
    ),
    adminMapChartAccount: command((tx, by, { params, body }) =>
      mapAccount(tx, services, by, { ...params, ...body }),
    ),
    adminExportJournal: {
      kind: 'csv',
      run: (db, by, { params, query: asked }) =>
        exportJournal(db, services, by, { ...params, ...asked }),
    },
  };
}
