import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { RouteArguments, RouteReply, Webhook } from '#contract/api.ts';
import { MAX_WEBHOOKS, WEBHOOK_SECRET_OVERLAP_HOURS } from '#contract/limits.ts';
import { WEBHOOK_EVENT_IDS } from '#contract/webhooks.ts';
import type { Reader, Tx } from '#server/db/tx.ts';
import { dropWaiting } from '#server/events/webhook-queue.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { AppError } from '#server/lib/errors.ts';
import { newId } from '#server/lib/ids.ts';
import { record } from '#server/modules/journal/index.ts';
import type { Services } from '#server/services.ts';
import { sealSecret } from './secrets.ts';
import { newWebhookSecret } from './sign.ts';

const HOUR_MS = 3_600_000;

/** The endpoints that events are sent to, newest first. */
export async function listWebhooks(
  reader: Reader,
  { clock }: Pick<Services, 'clock'>,
): Promise<{ items: Webhook[] }> {
  const rows = await reader
    .selectFrom('webhookEndpoint as endpoint')
    .innerJoin('appUser', 'appUser.id', 'endpoint.createdBy')
    .select(['endpoint.id', 'url', 'events', 'endpoint.createdAt', 'secretAt'])
    .select(['formerSecretUntil', 'appUser.name as createdBy'])
    .select(countOf('waiting').as('waiting'))
    .select(countOf('failed').as('failed'))
    .where('removedAt', 'is', null)
    .orderBy('endpoint.createdAt', 'desc')
    .orderBy('endpoint.id', 'desc')
    .execute();
  const now = clock.now();
  return {
    items: rows.map(({ formerSecretUntil, ...row }) => ({
      ...row,
      events: WEBHOOK_EVENT_IDS.filter((event) => row.events.includes(event)),
      createdAt: row.createdAt.toISOString(),
      secretAt: row.secretAt.toISOString(),
      formerSecretUntil:
        formerSecretUntil !== null && formerSecretUntil > now
          ? formerSecretUntil.toISOString()
          : null,
    })),
  };
}

function countOf(status: 'waiting' | 'failed') {
  return sql<number>`(SELECT count(*)::int FROM webhook_delivery
                       WHERE endpoint_id = endpoint.id AND status = ${sql.lit(status)})`;
}

/**
 * Adds an endpoint for events.
 *
 * @returns the endpoint with its signing secret, which is shown once and stored encrypted
 * @throws {AppError} `too_many_webhooks`
 */
export async function createWebhook(
  tx: Tx,
  { clock, vault }: Pick<Services, 'clock' | 'vault'>,
  by: CommandContext,
  { url, events }: RouteArguments<'adminCreateWebhook'>['body'],
): Promise<RouteReply<'adminCreateWebhook'>> {
  const now = clock.now();
  const { items } = await listWebhooks(tx, { clock });
  if (items.length >= MAX_WEBHOOKS) throw new AppError('too_many_webhooks');
  const secret = newWebhookSecret();
  const id = newId(now.getTime());
  const ownerId = by.actor.id;
  const secretEncrypted = await sealSecret(tx, vault, { endpointId: id, ownerId, secret });
  const made = { id, url, events: [...new Set(events)] };
  await tx
    .insertInto('webhookEndpoint')
    .values({
      ...made,
      createdBy: ownerId,
      createdAt: now,
      secretEncrypted,
      secretOwner: ownerId,
      secretAt: now,
    })
    .execute();
  const { host } = new URL(url);
  const details = {
    host,
    events: made.events,
    urlHash: hashOf(url),
    secretHash: hashOf(secretEncrypted),
  };
  record(tx, by, 'webhook.created', { id, relatedId: null, at: now, details, words: { host } });
  return {
    ...made,
    createdBy: by.actor.name,
    createdAt: now.toISOString(),
    secretAt: now.toISOString(),
    formerSecretUntil: null,
    waiting: 0,
    failed: 0,
    secret,
  };
}

/**
 * Creates a new secret for signing. For WEBHOOK_SECRET_OVERLAP_HOURS the former one signs, too.
 *
 * @throws {AppError} `webhook_not_found`
 */
export async function rotateSecret(
  tx: Tx,
  { clock, vault }: Pick<Services, 'clock' | 'vault'>,
  by: CommandContext,
  id: string,
): Promise<RouteReply<'adminRotateWebhookSecret'>> {
  const now = clock.now();
  const { secretEncrypted, secretOwner } = await lockWebhook(tx, id);
  const secret = newWebhookSecret();
  const until = new Date(now.getTime() + WEBHOOK_SECRET_OVERLAP_HOURS * HOUR_MS);
  const ownerId = by.actor.id;
  const sealed = await sealSecret(tx, vault, { endpointId: id, ownerId, secret });
  await tx
    .updateTable('webhookEndpoint')
    .set({
      secretEncrypted: sealed,
      secretOwner: ownerId,
      secretAt: now,
      formerSecretEncrypted: secretEncrypted,
      formerSecretOwner: secretOwner,
      formerSecretUntil: until,
    })
    .where('id', '=', id)
    .execute();
  record(tx, by, 'webhook.secret_rotated', { id, details: { secretHash: hashOf(sealed) } });
  return { secret, formerSecretUntil: until.toISOString() };
}

/** @throws {AppError} `webhook_not_found` */
export async function removeWebhook(
  tx: Tx,
  { clock }: Pick<Services, 'clock'>,
  by: CommandContext,
  id: string,
): Promise<void> {
  await lockWebhook(tx, id);
  await tx
    .updateTable('webhookEndpoint')
    .set({ removedBy: by.actor.id, removedAt: clock.now() })
    .where('id', '=', id)
    .execute();
  await dropWaiting(tx, id);
  record(tx, by, 'webhook.removed', { id });
}

/** @throws {AppError} `webhook_not_found` */
export async function lockWebhook(tx: Tx, id: string) {
  const row = await tx
    .selectFrom('webhookEndpoint')
    .select(['secretEncrypted', 'secretOwner'])
    .where('id', '=', id)
    .where('removedAt', 'is', null)
    .forUpdate()
    .executeTakeFirst();
  if (row === undefined) throw new AppError('webhook_not_found');
  return row;
}

/** SHA-256 as hex, by which a verification compares a value that is in no record. */
function hashOf(value: string | Buffer): string {
  return createHash('sha256').update(value).digest('hex');
}
