import { command, doneAfter, query } from '#server/http/handlers.ts';
import type { Handlers } from '#server/http/handlers.ts';
import type { Services } from '#server/services.ts';
import { listDeliveries, redeliver, testWebhook } from './deliveries.ts';
import { refusePrivateAddress } from './refuse-private-address.ts';
import { createWebhook, listWebhooks, removeWebhook, rotateSecret } from './endpoints.ts';

type WebhookRoute =
  | 'adminListWebhooks'
  | 'adminCreateWebhook'
  | 'adminRotateWebhookSecret'
  | 'adminRemoveWebhook'
  | 'adminTestWebhook'
  | 'adminListWebhookDeliveries'
  | 'adminRedeliverWebhook';

/** Handlers for the endpoints of the company's own systems that receive events. */
export function webhookHandlers(services: Services): Pick<Handlers, WebhookRoute> {
  return {
    adminListWebhooks: query((db) => listWebhooks(db, services)),
    adminCreateWebhook: command(
      (tx, by, { body }) => createWebhook(tx, services, by, body),
      ({ body }) => refusePrivateAddress(body.url),
    ),
    adminRotateWebhookSecret: command((tx, by, { params }) =>
      rotateSecret(tx, services, by, params.id),
    ),
    adminRemoveWebhook: doneAfter((tx, by, { params }) =>
      removeWebhook(tx, services, by, params.id),
    ),
    adminTestWebhook: doneAfter((tx, by, { params }) => testWebhook(tx, services, by, params.id)),
    adminListWebhookDeliveries: query((db, _by, { params }) => listDeliveries(db, params.id)),
    adminRedeliverWebhook: doneAfter((tx, by, { params }) =>
      redeliver(tx, services, by, params.id),
    ),
  };
}
