import type { payoutRoutes } from '#contract/routes/payouts.ts';
import { command, query } from '#server/http/handlers.ts';
import type { Handlers } from '#server/http/handlers.ts';
import { actsOf } from '#server/modules/acts/index.ts';
import type { Services } from '#server/services.ts';
import { downloadPayoutFile } from './download.ts';
import { makePayoutFile } from './make-payout-file.ts';
import { payoutFiles } from './payout-file.ts';
import { getPayoutFile, getPayouts, loadPayoutFile } from './queries.ts';

/** The acts of a payout file that somebody does without a form. */
const payoutFileActs = actsOf(payoutFiles, { admin: loadPayoutFile });

export function payoutHandlers(services: Services): Pick<Handlers, keyof typeof payoutRoutes> {
  return {
    adminGetPayouts: query((db, by, { query: asked }) => getPayouts(db, services, by, asked)),
    adminGetPayoutFile: query((db, by, { params, query: asked }) =>
      getPayoutFile(db, services, by, { ...params, ...asked }),
    ),
    adminMakePayoutFile: command((tx, by, { body }) => makePayoutFile(tx, services, by, body)),
    adminDownloadPayoutFile: command((tx, by, { params }) =>
      downloadPayoutFile(tx, services, by, params),
    ),
    adminDownloadPayoutFileAgain: command((tx, by, { params, body }) =>
      downloadPayoutFile(tx, services, by, { ...params, ...body }),
    ),
    ...payoutFileActs.handlers(services),
  };
}
