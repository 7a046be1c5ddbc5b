import { CompiledQuery } from 'kysely';
import { TEST_EVENT, WEBHOOK_EVENTS, WEBHOOK_FACTS } from '#contract/webhooks.ts';
import { writtenAtCommit } from '#server/db/at-commit.ts';
import type { Tx } from '#server/db/tx.ts';

/** An act, as in the audit trail. */
interface Act {
  action: string;
  subjectType: string;
  subjectId: string | null;
  personId?: string | null;
  details?: Readonly<Record<string, unknown>>;
}

interface Message {
  event: string;
  subject_id: string | null;
  body: string;
}

/**
 * Sends an act to the endpoints that subscribed to it, if the transaction commits. Acts that are
 * not in the catalogue are ignored.
 */
export function addWebhookMessages(tx: Tx, act: Act): void {
  if (!(act.action in WEBHOOK_EVENTS)) return;
  addMessages(tx, { event: act.action, subject_id: act.subjectId, body: bodyOf(act) });
}

const addMessages = writtenAtCommit<Message>('webhook_delivery', (messages) =>
  CompiledQuery.raw(WRITE, [JSON.stringify(messages)]),
);

const WRITE = `
  WITH made AS (
    INSERT INTO webhook_delivery (endpoint_id, event, subject_id, body)
    SELECT endpoint.id, one.*
      FROM json_to_recordset($1::json) AS one (event text, subject_id uuid, body text)
      JOIN webhook_endpoint AS endpoint
        ON endpoint.removed_at IS NULL AND one.event = ANY (endpoint.events)
    RETURNING endpoint_id
  )
  INSERT INTO outbox (kind, topic, payload)
  SELECT DISTINCT 'job', 'send-webhooks', jsonb_build_object('endpointId', endpoint_id) FROM made`;

/** Body of Standard Webhooks: `type`, `timestamp`, `data`; only ids and facts. */
function bodyOf({ action, subjectType, subjectId, personId, details = {} }: Act): string {
  const facts = Object.fromEntries(
    Object.entries(details).filter(([name]) => WEBHOOK_FACTS.includes(name)),
  );
  return JSON.stringify({
    type: action,
    // Time of the act, by the command's clock.
    timestamp: typeof details['at'] === 'string' ? details['at'] : new Date().toISOString(),
    data: { subjectType, subjectId, personId: personId ?? null, ...facts },
  });
}

/** Sends a test message to an endpoint. */
export async function addTestMessage(tx: Tx, endpointId: string, at: Date): Promise<void> {
  const body = JSON.stringify({
    type: TEST_EVENT,
    timestamp: at.toISOString(),
    data: { message: 'A test of this address.' },
  });
  await tx.insertInto('webhookDelivery').values({ endpointId, event: TEST_EVENT, body }).execute();
}
