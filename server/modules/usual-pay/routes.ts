import type { usualPayRoutes } from '#contract/routes/usual-pay.ts';
import { command, doneAfter, query } from '#server/http/handlers.ts';
import type { Handlers } from '#server/http/handlers.ts';
import type { Services } from '#server/services.ts';
import { usualPayActs } from './acts.ts';
import { changeUsualPay } from './change-usual-pay.ts';
import { confirmUsualPayFile, discardUsualPayFile } from './confirm-file.ts';
import { latestImport, presentImport } from './file-import.ts';
import { readUsualPay } from './queries.ts';
import { uploadUsualPayFile } from './upload-file.ts';

export function usualPayHandlers(services: Services): Pick<Handlers, keyof typeof usualPayRoutes> {
  return {
    adminGetUsualPay: query((db, { actor }, { params }) =>
      readUsualPay(db, services, actor, params.id),
    ),
    adminChangeUsualPay: command((tx, by, { params, body }) =>
      changeUsualPay(tx, services, by, { ...params, ...body }),
    ),
    ...usualPayActs.handlers(services),
    adminGetUsualPayImport: query(async (db, { actor }) => {
      const row = await latestImport(db);
      return {
        latest: row === undefined ? null : await presentImport(db, services, actor.id, row),
      };
    }),
    adminUploadUsualPay: {
      kind: 'upload',
      run: (db, by, { query: { fileName } }, body) =>
        uploadUsualPayFile(db, services, by, { fileName, body }),
    },
    adminConfirmUsualPayImport: command((tx, by, { params, body }) =>
      confirmUsualPayFile(tx, services, by, { ...params, ...body }),
    ),
    adminDiscardUsualPayImport: doneAfter((tx, by, { params }) =>
      discardUsualPayFile(tx, by, params.id),
    ),
  };
}
