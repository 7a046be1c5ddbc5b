import type { billRoutes } from '#contract/routes/bills.ts';
import type { paymentRoutes } from '#contract/routes/payments.ts';
import type { standingBillRoutes } from '#contract/routes/standing-bills.ts';
import { command, doneAfter, query } from '#server/http/handlers.ts';
import type { Handlers } from '#server/http/handlers.ts';
import { listHandlers } from '#server/http/list-handlers.ts';
import type { Identity } from '#server/modules/identity/index.ts';
import { exportOf, readThingScope } from '#server/modules/acts/index.ts';
import type { Services } from '#server/services.ts';
import { adminBills } from './bill-list.ts';
import { billActs } from './bill-acts.ts';
import { getAdminBill, listScheduledBills } from './bill-queries.ts';
import { changeBill } from './change-bill.ts';
import { findRecipient } from './find-recipient.ts';
import { listPayees, removePayee } from './payees.ts';
import { moveMoney } from './move-money.ts';
import { payPerson } from './pay-person.ts';
import { confirmPayee } from './returned-payees.ts';
import { addPayee, updatePayee } from './outside-payees.ts';
import { revealBills, revealPayee } from './reveal-bills.ts';
import { resendBill } from './resend-bill.ts';
import { scheduleBill } from './schedule-bill.ts';
import { createStandingBill } from './create-standing-bill.ts';
import { stopStandingBill } from './end-standing-bills.ts';
import { listStandingBills } from './standing-bill-queries.ts';

type PaymentRoute =
  | keyof typeof paymentRoutes
  | keyof typeof billRoutes
  | keyof typeof standingBillRoutes;

export function paymentHandlers(
  services: Services,
  { attempts }: Pick<Identity, 'attempts'>,
): Pick<Handlers, PaymentRoute> {
  return {
    findRecipient: query((db, { actor }, { body }) =>
      findRecipient(
        db,
        { clock: services.clock, attempts },
        { userId: actor.id, email: body.email },
      ),
    ),
    payPerson: command((tx, by, { body }) => payPerson(tx, services, by, body)),
    moveMoney: command((tx, by, { body }) => moveMoney(tx, services, by, body)),
    listPayees: query((db, { actor }) => listPayees(db, services, actor.id)),
    addPayee: command((tx, by, { body }) => addPayee(tx, services, by, body)),
    updatePayee: command((tx, by, { params, body }) =>
      updatePayee(tx, services, by, { id: params.id, change: body }),
    ),
    confirmPayee: command((tx, by, { params }) => confirmPayee(tx, services, by, params.id)),
    removePayee: doneAfter((tx, by, { params }) => removePayee(tx, services, by, params.id)),
    listScheduledBills: query((db, { actor }) => listScheduledBills(db, services, actor.id)),
    scheduleBill: command((tx, by, { body }) => scheduleBill(tx, services, by, body)),
    changeBill: command((tx, by, { params, body }) =>
      changeBill(tx, services, by, { id: params.id, change: body }),
    ),
    resendBill: command((tx, by, { params, body }) =>
      resendBill(tx, services, by, { id: params.id, ...body }),
    ),
    listStandingBills: query((db, { actor }) => listStandingBills(db, actor.id)),
    createStandingBill: command((tx, by, { body }) => createStandingBill(tx, services, by, body)),
    stopStandingBill: command((tx, by, { params }) =>
      stopStandingBill(tx, services, by, params.id),
    ),
    ...listHandlers(adminBills, readThingScope(services), exportOf(services, 'bills')),
    adminGetBill: query((db, by, { params }) => getAdminBill(db, services, by, params.id)),
    adminRevealBills: command((tx, by, { body }) => revealBills(tx, services, by, body.ids)),
    adminRevealPayee: command((tx, by, { params }) => revealPayee(tx, services, by, params.id)),
    ...billActs.handlers(services),
  };
}
