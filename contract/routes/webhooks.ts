import { z } from 'zod';
import { namedEnum, namedObject } from '../schema-names.ts';
import {
  NO_EVENTS_PROBLEM,
  WEBHOOK_DELIVERY_STATUSES,
  WEBHOOK_EVENT_IDS,
  webhookUrlRule,
} from '../webhooks.ts';
import { done } from './common.ts';
import { id, idParams, instant, textOf } from './values.ts';
import { defineRoute } from './define.ts';

const events = z.array(namedEnum('WebhookEvent', WEBHOOK_EVENT_IDS));

const webhook = namedObject('Webhook', {
  id,
  url: z.string(),
  events,
  createdBy: z.string(),
  createdAt: instant,
  secretAt: instant,
  /** Until then the former secret signs, too; null once it is over. */
  formerSecretUntil: instant.nullable(),
  /** Counts of the last 30 days. */
  waiting: z.number().int(),
  failed: z.number().int(),
});

/** `whsec_` and 32 bytes as base64. */
const secret = z.string();

const delivery = namedObject('WebhookDelivery', {
  id,
  /** An act, or `webhook.test`. */
  event: z.string(),
  subjectId: id.nullable(),
  createdAt: instant,
  status: namedEnum('WebhookDeliveryStatus', WEBHOOK_DELIVERY_STATUSES),
  attempts: z.number().int(),
  /** Null for one that is sent immediately, and for one that is over. */
  nextAttemptAt: instant.nullable(),
  lastAttemptAt: instant.nullable(),
  /** Status of the receiver's answer; null without one. */
  replyStatus: z.number().int().nullable(),
  /** Why the last attempt failed. */
  problem: z.string().nullable(),
});

export const webhookRoutes = {
  adminListWebhooks: defineRoute('GET /api/admin/webhooks', {
    summary: 'Addresses that are sent what happened, without their secrets',
    access: 'admin',
    topics: ['deliveries'],
    reply: z.object({ items: z.array(webhook) }),
  }),
  adminCreateWebhook: defineRoute('POST /api/admin/webhooks', {
    summary: 'Send what happens to an address; what signs it is in this reply and nowhere else',
    access: 'admin',
    confirms: 'recent',
    changes: { admins: ['deliveries'] },
    body: z.object({
      url: textOf(webhookUrlRule),
      events: events.min(1, NO_EVENTS_PROBLEM).max(WEBHOOK_EVENT_IDS.length),
    }),
    reply: webhook.extend({ secret }),
    status: 201,
    errors: ['too_many_webhooks'],
  }),
  adminRotateWebhookSecret: defineRoute('POST /api/admin/webhooks/{id}/rotate-secret', {
    summary: 'Sign with a new secret; the old secret also works for a day',
    access: 'admin',
    confirms: 'recent',
    changes: { admins: ['deliveries'] },
    params: idParams,
    reply: z.object({ secret, formerSecretUntil: instant }),
    errors: ['webhook_not_found'],
  }),
  adminRemoveWebhook: defineRoute('POST /api/admin/webhooks/{id}/remove', {
    summary: 'Send an address nothing any more, not even what waits for it',
    access: 'admin',
    confirms: 'recent',
    changes: { admins: ['deliveries'] },
    params: idParams,
    reply: done,
    errors: ['webhook_not_found'],
  }),
  adminTestWebhook: defineRoute('POST /api/admin/webhooks/{id}/test', {
    summary: 'Send an address a message that says only that it is a test',
    access: 'admin',
    hourly: 'webhookMessages',
    changes: { admins: ['deliveries'] },
    params: idParams,
    reply: done,
    errors: ['webhook_not_found'],
  }),
  adminListWebhookDeliveries: defineRoute('GET /api/admin/webhooks/{id}/deliveries', {
    summary: 'The newest messages to an address and what became of them',
    access: 'admin',
    topics: ['deliveries'],
    params: idParams,
    reply: z.object({ items: z.array(delivery) }),
    errors: ['webhook_not_found'],
  }),
  adminRedeliverWebhook: defineRoute('POST /api/admin/webhook-deliveries/{id}/redeliver', {
    summary: 'Send a message again, with the same id',
    access: 'admin',
    hourly: 'webhookMessages',
    changes: { admins: ['deliveries'] },
    params: idParams,
    reply: done,
    errors: ['webhook_delivery_not_found', 'webhook_delivery_waiting'],
  }),
};
