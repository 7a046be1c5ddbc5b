import { command, query } from '#server/http/handlers.ts';
import type { Handlers } from '#server/http/handlers.ts';
import type { Services } from '#server/services.ts';
import { approveDeposit } from './approve-deposit.ts';
import { adminListDeposits } from './queries.ts';
import { rejectDeposit } from './reject-deposit.ts';

type DepositHandlers = Pick<
  Handlers,
  'adminListDeposits' | 'adminApproveDeposit' | 'adminRejectDeposit'
>;

export function depositHandlers(services: Services): DepositHandlers {
  return {
    adminListDeposits: query((db, _context, input) => adminListDeposits(db, input.query)),
    adminApproveDeposit: command((tx, by, { params }) =>
      approveDeposit(tx, services, by, params.id),
    ),
    adminRejectDeposit: command((tx, by, { params, body }) =>
      rejectDeposit(tx, services, by, { id: params.id, reason: body.reason }),
    ),
  };
}
