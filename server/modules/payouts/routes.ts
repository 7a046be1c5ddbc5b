import type { payoutRoutes } from '#contract/routes/payouts.ts';
import type { returnRoutes } from '#contract/routes/returns.ts';
import { command, query } from '#server/http/handlers.ts';
import type { Handlers } from '#server/http/handlers.ts';
import { actsOf } from '#server/modules/acts/index.ts';
import type { Services } from '#server/services.ts';
import { downloadPayoutFile, repeatDownload } from './download.ts';
import { exportPayoutFile, exportPayouts } from './export.ts';
import { makePayoutFile } from './make-payout-file.ts';
import { payoutFiles } from './payout-file.ts';
import { loadReversal } from './reversals/queries.ts';
import { downloadReversal, repeatReversal, reversePayout } from './reversals/reverse-payout.ts';
import { payoutReversals } from './reversals/payout-reversal.ts';
import { getPayoutFile, loadPayoutFile } from './file-queries.ts';
import { getPayouts } from './get-payouts.ts';
import { bookReturns, checkReturns } from './returns/book-returns.ts';
import {
  acceptChange,
  bookReturnTo,
  declineChange,
  setReturnAside,
} from './returns/decide-entry.ts';
import { offerBooking } from './returns/offer-booking.ts';
import { offerChanges } from './returns/offer-changes.ts';
import { findReturnedPayments, getReturns } from './returns/queries.ts';

/** The acts of a payout file that somebody does without a form. */
const payoutFileActs = actsOf(payoutFiles, { admin: loadPayoutFile });

const payoutReversalActs = actsOf(payoutReversals, { admin: loadReversal });

export function payoutHandlers(
  services: Services,
): Pick<Handlers, keyof typeof payoutRoutes | keyof typeof returnRoutes> {
  return {
    adminGetPayouts: query((db, by, { query: asked }) => getPayouts(db, services, by, asked)),
    adminGetPayoutFile: query((db, by, { params, query: asked }) =>
      getPayoutFile(db, services, by, { ...params, ...asked }),
    ),
    adminExportPayouts: {
      kind: 'csv',
      run: (db, by, { query: asked }) => exportPayouts(db, services, by, asked),
    },
    adminExportPayoutFile: {
      kind: 'csv',
      run: (db, _by, { params: { id } }) => exportPayoutFile(db, id),
    },
    adminMakePayoutFile: command((tx, by, { body }) => makePayoutFile(tx, services, by, body)),
    adminDownloadPayoutFile: {
      ...command<'adminDownloadPayoutFile'>((tx, by, { params }) =>
        downloadPayoutFile(tx, services, by, params),
      ),
      repeat: (tx, by, { params: { id } }) => repeatDownload(tx, services, by, id),
    },
    adminDownloadPayoutFileAgain: {
      ...command<'adminDownloadPayoutFileAgain'>((tx, by, { params, body }) =>
        downloadPayoutFile(tx, services, by, { ...params, ...body }),
      ),
      repeat: (tx, by, { params: { id } }) => repeatDownload(tx, services, by, id),
    },
    ...payoutFileActs.handlers(services),
    adminReversePayout: command((tx, by, { body }) => reversePayout(tx, services, by, body)),
    adminDownloadPayoutReversal: {
      ...command<'adminDownloadPayoutReversal'>((tx, by, { params }) =>
        downloadReversal(tx, services, by, params.id),
      ),
      repeat: (tx, by, { params: { id } }) => repeatReversal(tx, services, by, id),
    },
    ...payoutReversalActs.handlers(services),
    adminGetReturns: query(async (db, by, { query: { file, page } }) =>
      offerChanges(db, services, by, await getReturns(db, file, page)),
    ),
    adminFindReturnedPayments: query(async (db, by, { params, query: asked }) =>
      offerBooking(db, services, by, await findReturnedPayments(db, { ...params, ...asked })),
    ),
    adminCheckReturns: { kind: 'upload', run: (db, _by, _input, body) => checkReturns(db, body) },
    adminBookReturns: {
      kind: 'upload',
      run: (db, by, { query: asked }, body) =>
        bookReturns(db, services, by, { query: asked, body }),
    },
    adminBookReturnTo: command((tx, by, { params, body }) =>
      bookReturnTo(tx, services, by, { ...params, ...body }),
    ),
    adminSetReturnAside: command((tx, by, { params }) =>
      setReturnAside(tx, services, by, params.id),
    ),
    adminAcceptChange: command((tx, by, { params }) => acceptChange(tx, services, by, params.id)),
    adminDeclineChange: command((tx, by, { params }) => declineChange(tx, services, by, params.id)),
  };
}
