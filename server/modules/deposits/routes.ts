import { command } from '#server/http/handlers.ts';
import type { Handlers } from '#server/http/handlers.ts';
import { listHandlers } from '#server/http/list-handlers.ts';
import type { Services } from '#server/services.ts';
import { adminDeposits } from './admin-list.ts';
import { approveDeposit } from './approve-deposit.ts';
import { rejectDeposit } from './reject-deposit.ts';

type DepositHandlers = Pick<
  Handlers,
  'adminListDeposits' | 'adminApproveDeposit' | 'adminRejectDeposit'
>;

export function depositHandlers(services: Services): DepositHandlers {
  return {
    ...listHandlers(adminDeposits, () => null),
    adminApproveDeposit: command((tx, by, { params }) =>
      approveDeposit(tx, services, by, params.id),
    ),
    adminRejectDeposit: command((tx, by, { params, body }) =>
      rejectDeposit(tx, services, by, { id: params.id, reason: body.reason }),
    ),
  };
}
