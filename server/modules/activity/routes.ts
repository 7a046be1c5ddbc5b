import type { Handlers } from '#server/http/handlers.ts';
import { query } from '#server/http/handlers.ts';
import { listHandlers } from '#server/http/list-handlers.ts';
import { readSettings } from '#server/modules/settings/index.ts';
import type { Services } from '#server/services.ts';
import { getAdminDashboard } from './admin-dashboard.ts';
import { auditEvents } from './audit-list.ts';
import { getAuditEvent } from './audit-rows.ts';
import { getEmployeeDashboard } from './employee-dashboard.ts';
import { getBooksPage } from './books-page.ts';
import { employees } from './employee-list.ts';
import { getEmployeePage } from './employee-page.ts';
import { getPerson } from './person.ts';
import { paidPeople } from './paid-list.ts';
import { paidScope } from './paid-scope.ts';
import { paidTotals } from './paid-totals.ts';
import { listRisks } from './risks.ts';
import { getShell } from './shell.ts';
import { listWaiting } from './waiting.ts';

type Names =
  | 'getEmployeeDashboard'
  | 'adminGetDashboard'
  | 'adminListWaiting'
  | 'adminListRisks'
  | 'getShell'
  | 'getBooksPage'
  | 'adminGetPerson'
  | 'adminGetEmployee'
  | 'adminListEmployees'
  | 'adminCountEmployees'
  | 'adminExportEmployees'
  | 'adminListAudit'
  | 'adminExportAudit'
  | 'adminGetAuditEvent'
  | 'adminListPaid'
  | 'adminCountPaid'
  | 'adminExportPaid'
  | 'adminPaidTotals';

export function activityHandlers(services: Services): Pick<Handlers, Names> {
  return {
    ...listHandlers(employees, readSettings, {
      name: 'employees',
      clock: services.clock,
      timeZone: ({ timeZone }) => timeZone,
    }),
    ...listHandlers(auditEvents, readSettings, {
      name: 'audit',
      clock: services.clock,
      timeZone: ({ timeZone }) => timeZone,
    }),
    ...listHandlers(paidPeople, (db, _context, { query: filter }) => paidScope(db, filter), {
      name: 'paid',
      clock: services.clock,
      timeZone: ({ settings }) => settings.timeZone,
    }),
    adminPaidTotals: query((db, _context, { query: filter }) => paidTotals(db, filter)),
    adminGetAuditEvent: query((db, _context, { params }) => getAuditEvent(db, params.id)),
    getEmployeeDashboard: query((db, { actor }) =>
      getEmployeeDashboard(db, services, { userId: actor.id }),
    ),
    adminGetDashboard: query((db, { actor }) => getAdminDashboard(db, services, actor.id)),
    adminListWaiting: query((db, { actor }) => listWaiting(db, actor.id)),
    adminListRisks: query((db) => listRisks(db, services)),
    adminGetPerson: query((db, _context, { params }) => getPerson(db, services, params.id)),
    adminGetEmployee: query((db, by, { params }) => getEmployeePage(db, services, by, params.id)),
    getShell: query((db, { actor }) => getShell(db, actor)),
    getBooksPage: query((db) => getBooksPage(db, services)),
  };
}
