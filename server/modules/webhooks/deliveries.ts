import type { RouteReply } from '#contract/api.ts';
import { WEBHOOK_DELIVERIES_SHOWN } from '#contract/limits.ts';
import type { Reader, Tx } from '#server/db/tx.ts';
import { addTestMessage, enqueueJob } from '#server/events/outbox.ts';
import { sendAgain } from '#server/events/webhook-queue.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { AppError } from '#server/lib/errors.ts';
import { record } from '#server/modules/journal/index.ts';
import type { Services } from '#server/services.ts';
import { lockWebhook } from './endpoints.ts';

/**
 * The newest messages to an endpoint.
 *
 * @throws {AppError} `webhook_not_found`
 */
export async function listDeliveries(
  reader: Reader,
  endpointId: string,
): Promise<RouteReply<'adminListWebhookDeliveries'>> {
  const known = await reader
    .selectFrom('webhookEndpoint')
    .select('id')
    .where('id', '=', endpointId)
    .where('removedAt', 'is', null)
    .executeTakeFirst();
  if (known === undefined) throw new AppError('webhook_not_found');
  const rows = await reader
    .selectFrom('webhookDelivery')
    .select(['id', 'event', 'subjectId', 'createdAt', 'status', 'attempts', 'nextAttemptAt'])
    .select(['lastAttemptAt', 'replyStatus', 'problem'])
    .where('endpointId', '=', endpointId)
    .orderBy('sequence', 'desc')
    .limit(WEBHOOK_DELIVERIES_SHOWN)
    .execute();
  return {
    items: rows.map((row) => ({
      ...row,
      createdAt: row.createdAt.toISOString(),
      nextAttemptAt: row.status === 'waiting' ? (row.nextAttemptAt?.toISOString() ?? null) : null,
      lastAttemptAt: row.lastAttemptAt?.toISOString() ?? null,
    })),
  };
}

/** @throws {AppError} `webhook_not_found` */
export async function testWebhook(
  tx: Tx,
  { clock }: Pick<Services, 'clock'>,
  by: CommandContext,
  endpointId: string,
): Promise<void> {
  await lockWebhook(tx, endpointId);
  await addTestMessage(tx, endpointId, clock.now());
  enqueueJob(tx, { name: 'send-webhooks', payload: { endpointId } });
  record(tx, by, 'webhook.tested', { id: endpointId });
}

/**
 * Sends a delivered or given-up message again, with the same id, so that the receiver recognizes
 * it.
 *
 * @throws {AppError} `webhook_delivery_not_found`, `webhook_delivery_waiting`
 */
export async function redeliver(
  tx: Tx,
  { clock }: Pick<Services, 'clock'>,
  by: CommandContext,
  id: string,
): Promise<void> {
  const row = await tx
    .selectFrom('webhookDelivery')
    .innerJoin('webhookEndpoint', 'webhookEndpoint.id', 'webhookDelivery.endpointId')
    .select(['endpointId', 'event'])
    .where('webhookDelivery.id', '=', id)
    .where('removedAt', 'is', null)
    .executeTakeFirst();
  if (row === undefined) throw new AppError('webhook_delivery_not_found');
  const { endpointId, event } = row;
  if (!(await sendAgain(tx, id, clock.now()))) throw new AppError('webhook_delivery_waiting');
  enqueueJob(tx, { name: 'send-webhooks', payload: { endpointId } });
  record(tx, by, 'webhook.redelivered', { id: endpointId, details: { event } });
}
