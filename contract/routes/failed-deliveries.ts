import { z } from 'zod';
import { namedObject } from '../schema-names.ts';
import { failedDeliveryList } from '../lists.ts';
import { done, person } from './common.ts';
import { instant } from './values.ts';
import { defineRoute } from './define.ts';
import { listRoutes } from './list.ts';

/** `outbox-12`: it never left the outbox; `job-34`: the queue has given it up. */
const deliveryId = z.string().regex(/^(?:outbox|job)-[1-9]\d{0,17}$/);

export const failedDelivery = namedObject('FailedDelivery', {
  id: deliveryId,
  /** An e-mail, an update of open screens, or the start of something that runs in the background. */
  kind: z.enum(['mail', 'event', 'job']),
  /** The mail's kind, the event's topic, the job's name. */
  topic: z.string(),
  /** Owner of the mail or the screens; null: an admin's, or nobody's. */
  person: person.nullable(),
  /** The payroll that was to be started. */
  batch: z.object({ number: z.string(), name: z.string() }).nullable(),
  since: instant,
  attempts: z.number().int(),
  /** In short and without personal data; null when the process ended before it could say. */
  lastError: z.string().nullable(),
});

const one = { params: z.object({ id: deliveryId }), errors: ['delivery_not_found'] } as const;

/**
 * Mails, live events and payroll starts that were tried several times in vain: set aside by the
 * outbox's relay, or given up by the queue.
 */
export const failedDeliveryRoutes = {
  ...listRoutes('/api/admin/failed-deliveries', failedDeliveryList, failedDelivery, {
    summary: 'What could not be delivered',
    access: 'admin',
    topics: ['deliveries'],
  }),
  adminRetryAllFailedDeliveries: defineRoute('POST /api/admin/failed-deliveries/retry-all', {
    summary: 'Try all failed deliveries once more',
    access: 'admin',
    changes: {},
    mayChange: { admins: ['deliveries'] },
    reply: z.object({ retried: z.int() }),
  }),
  adminRetryFailedDelivery: defineRoute('POST /api/admin/failed-deliveries/{id}/retry', {
    ...one,
    summary: 'Try a failed delivery once more; it comes back here when it fails again',
    access: 'admin',
    changes: { admins: ['deliveries'] },
    reply: done,
  }),
  adminDiscardFailedDelivery: defineRoute('POST /api/admin/failed-deliveries/{id}/discard', {
    ...one,
    summary:
      'Give a failed delivery up; a payroll that is not finished is started again all the same',
    access: 'admin',
    changes: { admins: ['deliveries'] },
    reply: done,
  }),
};
