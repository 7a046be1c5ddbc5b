import { sql } from 'kysely';
import type { Db, Reader } from '#server/db/tx.ts';
import { withTx } from '#server/db/tx.ts';
import { enqueueJob } from '#server/events/outbox.ts';
import { claimMessage, settleMessage } from '#server/events/webhook-queue.ts';
import type { Claimed } from '#server/events/webhook-queue.ts';
import { LIMITS } from '#server/lib/limits.ts';
import type { Services } from '#server/services.ts';
import { post } from './post.ts';
import type { Answer, Post } from './post.ts';
import { openSecrets } from './secrets.ts';
import { signedHeaders } from './sign.ts';

interface Sending {
  db: Db;
  services: Pick<Services, 'clock' | 'vault'>;
  /** Posts one message; replaced in tests. */
  send?: (message: Post) => Promise<Answer>;
}

/**
 * Job `send-webhooks`: sends the waiting messages of an endpoint, until one fails, none is due or
 * the job's time is over. The next job sends the rest. Any number of them may run concurrently.
 */
export async function sendWebhooks(
  { db, services, send = post }: Sending,
  payload: Readonly<Record<string, string>>,
): Promise<void> {
  const { endpointId } = payload;
  if (endpointId === undefined) throw new Error('send-webhooks needs an endpointId');
  const deadline = performance.now() + LIMITS.webhooks.roundMs;
  while (performance.now() < deadline) {
    const now = services.clock.now();
    const message = await withTx(db, (tx) => claimMessage(tx, endpointId, now));
    if (message === null) return;
    const answer = await attempt(db, services, message, send);
    const isTaken = await withTx(db, (tx) =>
      settleMessage(tx, message, { ...answer, at: services.clock.now() }),
    );
    if (!isTaken) return;
  }
}

async function attempt(
  reader: Reader,
  { clock, vault }: Sending['services'],
  { id, endpointId, url, body }: Claimed,
  send: (message: Post) => Promise<Answer>,
): Promise<Answer> {
  const at = clock.now();
  const secrets = await openSecrets(reader, vault, { endpointId, at });
  if (secrets === null)
    return { problem: 'Its secret was destroyed with the data key of its creator' };
  return send({ url, body, headers: signedHeaders(secrets, { id, body, at }) });
}

/** Every minute: requests the job of every endpoint that has a message due. */
export async function sweepWebhooks(db: Db, { clock }: Pick<Services, 'clock'>): Promise<void> {
  await withTx(db, async (tx) => {
    const { rows } = await sql<{ endpointId: string }>`
      SELECT DISTINCT endpoint_id FROM webhook_delivery
       WHERE status = 'waiting'
         AND (next_attempt_at IS NULL OR next_attempt_at <= ${clock.now()})`.execute(tx);
    for (const { endpointId } of rows) {
      enqueueJob(tx, { name: 'send-webhooks', payload: { endpointId } });
    }
  });
}
