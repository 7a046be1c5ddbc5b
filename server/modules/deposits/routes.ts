import type { depositRoutes } from '#contract/routes/deposits.ts';
import { command, query } from '#server/http/handlers.ts';
import type { Handlers } from '#server/http/handlers.ts';
import { listHandlers } from '#server/http/list-handlers.ts';
import type { UploadQueue } from '#server/modules/kyc/index.ts';
import { readSettings } from '#server/modules/settings/index.ts';
import type { Services } from '#server/services.ts';
import { adminDeposits } from './admin-list.ts';
import { adminDepositStats } from './admin-stats.ts';
import { decideDeposits } from './deposit.ts';
import { openCheckImageForReview, openOwnCheckImage } from './open-check-image.ts';
import { getDepositOptions } from './options.ts';
import { ownDeposits } from './own-list.ts';
import { getAdminDepositDetails, getDepositDetails } from './queries.ts';
import { requestDeposit } from './request-deposit.ts';
import { uploadCheckImage } from './upload-check-image.ts';

export function depositHandlers(
  services: Services,
  queue: UploadQueue,
): Pick<Handlers, keyof typeof depositRoutes> {
  const uploads = { ...services, queue };
  return {
    ...listHandlers(ownDeposits, async (db, { actor }) => ({
      ownerId: actor.id,
      settings: await readSettings(db),
    })),
    getDepositOptions: query((db, { actor }) =>
      getDepositOptions(db, services, { userId: actor.id }),
    ),
    getDeposit: query((db, { actor }, { params }) =>
      getDepositDetails(db, services, { userId: actor.id, id: params.id }),
    ),
    requestDeposit: command((tx, by, { body }) => requestDeposit(tx, services, by, body)),
    uploadCheckImage: {
      kind: 'upload',
      run: (db, by, { params, query: { fileName } }, body) =>
        uploadCheckImage(db, uploads, by, {
          depositId: params.id,
          side: params.side,
          fileName,
          body,
        }),
    },
    getCheckImage: {
      kind: 'image',
      run: (db, by, { params }) => openOwnCheckImage(db, services, by, params),
    },
    ...listHandlers(adminDeposits, readSettings, {
      name: 'deposits',
      clock: services.clock,
      timeZone: ({ timeZone }) => timeZone,
    }),
    adminDepositStats: query((db) => adminDepositStats(db, services)),
    adminGetDeposit: query((db, _context, { params }) =>
      getAdminDepositDetails(db, services, params.id),
    ),
    adminGetCheckImage: {
      kind: 'image',
      run: (db, by, { params }) => openCheckImageForReview(db, services, by, params),
    },
    ...decideDeposits(services),
  };
}
