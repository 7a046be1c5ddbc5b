import { command, doneAfter, query } from '#server/http/handlers.ts';
import type { Handlers } from '#server/http/handlers.ts';
import { discardDelivery } from './discard-delivery.ts';
import { countDeliveries, listFailedDeliveries } from './queries.ts';
import { retryAllDeliveries, retryDelivery } from './retry-delivery.ts';

type DeliveryHandlers = Pick<
  Handlers,
  | 'adminListFailedDeliveries'
  | 'adminCountFailedDeliveries'
  | 'adminRetryAllFailedDeliveries'
  | 'adminRetryFailedDelivery'
  | 'adminDiscardFailedDelivery'
>;

export function deliveryHandlers(): DeliveryHandlers {
  return {
    adminListFailedDeliveries: query((db, _context, input) =>
      listFailedDeliveries(db, input.query),
    ),
    adminCountFailedDeliveries: query((db) => countDeliveries(db)),
    adminRetryAllFailedDeliveries: command((tx, by) => retryAllDeliveries(tx, by)),
    adminRetryFailedDelivery: doneAfter((tx, by, { params }) => retryDelivery(tx, by, params)),
    adminDiscardFailedDelivery: doneAfter((tx, by, { params }) => discardDelivery(tx, by, params)),
  };
}
