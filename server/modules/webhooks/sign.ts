import { createHmac, randomBytes } from 'node:crypto';

/** Prefix of every secret, by the specification. */
const PREFIX = 'whsec_';

/** A new secret: `whsec_` and 32 random bytes as base64. */
export function newWebhookSecret(): string {
  return `${PREFIX}${randomBytes(32).toString('base64')}`;
}

/**
 * Headers of a message by the Standard Webhooks specification: its id, the time of the attempt in
 * seconds, and one signature for each secret, HMAC-SHA256 over `id.time.body`.
 */
export function signedHeaders(
  secrets: readonly string[],
  { id, body, at }: { id: string; body: string; at: Date },
): Record<string, string> {
  const time = String(Math.floor(at.getTime() / 1_000));
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(PREFIX.length), 'base64');
    return `v1,${createHmac('sha256', key).update(`${id}.${time}.${body}`).digest('base64')}`;
  });
  return {
    'webhook-id': id,
    'webhook-timestamp': time,
    'webhook-signature': signatures.join(' '),
  };
}
