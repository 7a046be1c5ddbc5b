import type { Handlers } from '#server/http/handlers.ts';
import { command, query } from '#server/http/handlers.ts';
import { listHandlers } from '#server/http/list-handlers.ts';
import type { Services } from '#server/services.ts';
import { readSettings } from '#server/modules/settings/index.ts';
import { adminWithdrawals } from './admin-list.ts';
import { approveWithdrawal } from './approve-withdrawal.ts';
import { cancelWithdrawal } from './cancel-withdrawal.ts';
import {
  completeWithdrawal,
  returnWithdrawal,
  startProcessingWithdrawal,
} from './pay-out-withdrawal.ts';
import { ownWithdrawals } from './own-list.ts';
import * as queries from './queries.ts';
import { rejectWithdrawal, stopWithdrawal } from './reject-withdrawal.ts';
import { requestWithdrawal } from './request-withdrawal.ts';

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
    ...listHandlers(ownWithdrawals, async (db, { actor }) => ({
      ownerId: actor.id,
      settings: await readSettings(db),
    })),
    getWithdrawal: query((db, { actor }, { params }) =>
      queries.getOwnWithdrawal(db, actor.id, params.id),
    ),
    requestWithdrawal: command((tx, by, { body }) => requestWithdrawal(tx, services, by, body)),
    cancelWithdrawal: command((tx, by, { params }) =>
      cancelWithdrawal(tx, services, by, params.id),
    ),
    ...listHandlers(adminWithdrawals, readSettings, {
      name: 'withdrawals',
      clock: services.clock,
      timeZone: ({ timeZone }) => timeZone,
    }),
    adminWithdrawalStats: query((db) => queries.adminWithdrawalStats(db)),
    adminGetWithdrawal: query((db, by, { params }) =>
      queries.getAdminWithdrawal(db, by, params.id),
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
