import type { depositRoutes } from '#contract/routes/deposits.ts';
import { command, query } from '#server/http/handlers.ts';
import type { Handlers } from '#server/http/handlers.ts';
import { listHandlers } from '#server/http/list-handlers.ts';
import type { UploadQueue } from '#server/modules/kyc/index.ts';
import { exportOf, readThingScope } from '#server/modules/acts/index.ts';
import type { Services } from '#server/services.ts';
import { adminDeposits } from './admin-list.ts';
import { adminDepositStats } from './admin-stats.ts';
import { depositActs } from './acts.ts';
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
    ...listHandlers(ownDeposits, readThingScope(services)),
    getDepositOptions: query((db, { actor }) =>
      getDepositOptions(db, services, { userId: actor.id }),
    ),
    getDeposit: query((db, by, { params }) => getDepositDetails(db, services, by, params.id)),
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
    ...listHandlers(adminDeposits, readThingScope(services), exportOf(services, 'deposits')),
    adminDepositStats: query((db) => adminDepositStats(db, services)),
    adminGetDeposit: query((db, by, { params }) =>
      getAdminDepositDetails(db, services, by, params.id),
    ),
    adminGetCheckImage: {
      kind: 'image',
      run: (db, by, { params }) => openCheckImageForReview(db, services, by, params),
    },
    ...depositActs.handlers(services),
  };
}
