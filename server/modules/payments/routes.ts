import { command, query } from '#server/http/handlers.ts';
import type { Handlers } from '#server/http/handlers.ts';
import { listHandlers } from '#server/http/list-handlers.ts';
import type { Identity } from '#server/modules/identity/index.ts';
import { readSettings } from '#server/modules/settings/index.ts';
import type { Services } from '#server/services.ts';
import { adminBills } from './bill-list.ts';
import { getAdminBill, getOwnBill, listScheduledBills } from './bill-queries.ts';
import { cancelBill, changeBill } from './change-bill.ts';
import { findRecipient } from './find-recipient.ts';
import { listPayees, removePayee } from './payees.ts';
import { payPerson } from './pay-person.ts';
import { completeBill, returnBill, sendBill, stopBill } from './pay-bill.ts';
import { addPayee, revealPayee, updatePayee } from './outside-payees.ts';
import { scheduleBill } from './schedule-bill.ts';
import { createStandingBill } from './create-standing-bill.ts';
import { stopStandingBill } from './end-standing-bills.ts';
import { listStandingBills } from './standing-bill-queries.ts';

type Names =
  | 'findRecipient'
  | 'payPerson'
  | 'listPayees'
  | 'addPayee'
  | 'updatePayee'
  | 'removePayee'
  | 'listScheduledBills'
  | 'getBill'
  | 'scheduleBill'
  | 'changeBill'
  | 'cancelBill'
  | 'listStandingBills'
  | 'createStandingBill'
  | 'stopStandingBill'
  | 'adminListBills'
  | 'adminCountBills'
  | 'adminExportBills'
  | 'adminGetBill'
  | 'adminRevealPayee'
  | 'adminSendBill'
  | 'adminCompleteBill'
  | 'adminStopBill'
  | 'adminReturnBill';

export function paymentHandlers(
  services: Services,
  { attempts }: Pick<Identity, 'attempts'>,
): Pick<Handlers, Names> {
  return {
    findRecipient: query((db, { actor }, { body }) =>
      findRecipient(
        db,
        { clock: services.clock, attempts },
        { userId: actor.id, email: body.email },
      ),
    ),
    payPerson: command((tx, by, { body }) => payPerson(tx, services, by, body)),
    listPayees: query((db, { actor }) => listPayees(db, services, actor.id)),
    addPayee: command((tx, by, { body }) => addPayee(tx, services, by, body)),
    updatePayee: command((tx, by, { params, body }) =>
      updatePayee(tx, services, by, { id: params.id, change: body }),
    ),
    removePayee: command((tx, by, { params }) => removePayee(tx, services, by, params.id)),
    listScheduledBills: query((db, { actor }) => listScheduledBills(db, actor.id)),
    getBill: query((db, { actor }, { params }) => getOwnBill(db, actor.id, params.id)),
    scheduleBill: command((tx, by, { body }) => scheduleBill(tx, services, by, body)),
    changeBill: command((tx, by, { params, body }) =>
      changeBill(tx, services, by, { id: params.id, change: body }),
    ),
    cancelBill: command((tx, by, { params }) => cancelBill(tx, services, by, params.id)),
    listStandingBills: query((db, { actor }) => listStandingBills(db, actor.id)),
    createStandingBill: command((tx, by, { body }) => createStandingBill(tx, services, by, body)),
    stopStandingBill: command((tx, by, { params }) =>
      stopStandingBill(tx, services, by, params.id),
    ),
    ...listHandlers(adminBills, readSettings, {
      name: 'bills',
      clock: services.clock,
      timeZone: ({ timeZone }) => timeZone,
    }),
    adminGetBill: query((db, _context, { params }) => getAdminBill(db, params.id)),
    adminRevealPayee: command((tx, by, { params }) => revealPayee(tx, services, by, params.id)),
    adminSendBill: command((tx, by, { params }) => sendBill(tx, services, by, params.id)),
    adminCompleteBill: command((tx, by, { params }) => completeBill(tx, services, by, params.id)),
    adminStopBill: command((tx, by, { params, body }) =>
      stopBill(tx, services, by, { id: params.id, reason: body.reason }),
    ),
    adminReturnBill: command((tx, by, { params, body }) =>
      returnBill(tx, services, by, { id: params.id, reason: body.reason }),
    ),
  };
}
