import type { Handlers } from '#server/http/handlers.ts';
import { query } from '#server/http/handlers.ts';
import type { Services } from '#server/services.ts';
import { getAdminDashboard } from './admin-dashboard.ts';
import { getEmployeeDashboard } from './employee-dashboard.ts';
import { getPerson } from './person.ts';
import { getShell } from './shell.ts';

export function activityHandlers(
  services: Services,
): Pick<Handlers, 'getEmployeeDashboard' | 'adminGetDashboard' | 'getShell' | 'adminGetPerson'> {
  return {
    getEmployeeDashboard: query((db, { actor }) =>
      getEmployeeDashboard(db, services, { userId: actor.id }),
    ),
    adminGetDashboard: query((db) => getAdminDashboard(db, services)),
    adminGetPerson: query((db, _context, { params }) => getPerson(db, services, params.id)),
    getShell: query((db, { actor }) => getShell(db, actor)),
  };
}
