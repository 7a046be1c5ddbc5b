import type { Handlers } from '#server/http/handlers.ts';
import { command, query } from '#server/http/handlers.ts';
import type { Services } from '#server/services.ts';
import { approveWithdrawal } from './approve-withdrawal.ts';
import { cancelWithdrawal } from './cancel-withdrawal.ts';
import { completeWithdrawal } from './complete-withdrawal.ts';
import { exportWithdrawals } from './export-withdrawals.ts';
import * as queries from './queries.ts';
import { rejectWithdrawal } from './reject-withdrawal.ts';
import { requestWithdrawal } from './request-withdrawal.ts';
import { returnWithdrawal } from './return-withdrawal.ts';
import { startProcessingWithdrawal } from './start-processing-withdrawal.ts';
import { stopWithdrawal } from './stop-withdrawal.ts';

type Names =
  | 'listWithdrawals'
  | 'getWithdrawal'
  | 'requestWithdrawal'
  | 'cancelWithdrawal'
  | 'adminListWithdrawals'
  | 'adminCountWithdrawals'
  | 'adminWithdrawalStats'
  | 'adminExportWithdrawals'
  | 'adminGetWithdrawal'
  | 'adminApproveWithdrawal'
  | 'adminRejectWithdrawal'
  | 'adminStartWithdrawal'
  | 'adminCompleteWithdrawal'
  | 'adminStopWithdrawal'
  | 'adminReturnWithdrawal';

export function withdrawalHandlers(services: Services): Pick<Handlers, Names> {
  return {
    listWithdrawals: query((db, { actor }, input) =>
      queries.listOwnWithdrawals(db, actor.id, input.query),
    ),
    getWithdrawal: query((db, { actor }, { params }) =>
      queries.getOwnWithdrawal(db, actor.id, params.id),
    ),
    requestWithdrawal: command((tx, by, { body }) => requestWithdrawal(tx, services, by, body)),
    cancelWithdrawal: command((tx, by, { params }) =>
      cancelWithdrawal(tx, services, by, params.id),
    ),
    adminListWithdrawals: query((db, _context, input) =>
      queries.adminListWithdrawals(db, input.query),
    ),
    adminCountWithdrawals: query((db, _context, input) =>
      queries.adminCountWithdrawals(db, input.query),
    ),
    adminWithdrawalStats: query((db) => queries.adminWithdrawalStats(db)),
    adminExportWithdrawals: {
      kind: 'csv',
      fileName: () => `withdrawals-${services.clock.now().toISOString().slice(0, 10)}.csv`,
      rows: (db, _context, input) => exportWithdrawals(db, input.query),
    },
    adminGetWithdrawal: query((db, _context, { params }) =>
      queries.getAdminWithdrawal(db, params.id),
    ),
    adminApproveWithdrawal: command((tx, by, { params }) =>
      approveWithdrawal(tx, services, by, params.id),
    ),
    adminRejectWithdrawal: command((tx, by, { params, body }) =>
      rejectWithdrawal(tx, services, by, { id: params.id, reason: body.reason }),
    ),
    adminStartWithdrawal: command((tx, by, { params }) =>
      startProcessingWithdrawal(tx, services, by, params.id),
    ),
    adminCompleteWithdrawal: command((tx, by, { params }) =>
      completeWithdrawal(tx, services, by, params.id),
    ),
    adminStopWithdrawal: command((tx, by, { params, body }) =>
      stopWithdrawal(tx, services, by, { id: params.id, reason: body.reason }),
    ),
    adminReturnWithdrawal: command((tx, by, { params, body }) =>
      returnWithdrawal(tx, services, by, { id: params.id, reason: body.reason }),
    ),
  };
}
