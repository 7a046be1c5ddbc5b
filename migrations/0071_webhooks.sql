-- Addresses of the company's own systems that are sent what happened (contract/webhooks.ts).
CREATE TABLE webhook_endpoint (
  id                      uuid PRIMARY KEY,
  url                     text NOT NULL CHECK (url ~ '^https://'),
  -- Names of acts, as contract/webhooks.ts has them.
  events                  text[] NOT NULL CHECK (cardinality(events) > 0),
  created_by              uuid NOT NULL REFERENCES app_user,
  created_at              timestamptz NOT NULL,
  -- What signs, under the data key of the admin who made it.
  secret_encrypted        bytea NOT NULL,
  secret_owner            uuid NOT NULL REFERENCES app_user,
  secret_at               timestamptz NOT NULL,
  -- The one before also signs until then, so that the receiver can be changed over meanwhile.
  former_secret_encrypted bytea,
  former_secret_owner     uuid REFERENCES app_user,
  former_secret_until     timestamptz,
  removed_by              uuid REFERENCES app_user,
  removed_at              timestamptz,
  CHECK ((removed_by IS NULL) = (removed_at IS NULL)),
  CHECK (num_nulls(former_secret_encrypted, former_secret_owner, former_secret_until) IN (0, 3))
);
GRANT SELECT, INSERT, UPDATE ON webhook_endpoint TO purser_app;
SELECT guard_facts('webhook_endpoint', ARRAY['secret_encrypted', 'secret_owner', 'secret_at',
  'former_secret_encrypted', 'former_secret_owner', 'former_secret_until', 'removed_by',
  'removed_at']);

-- One message to one of them, written with the change that it reports.
CREATE TABLE webhook_delivery (
  -- Also the `webhook-id` that the receiver knows it by, the same at each attempt.
  id              uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  -- Of one subject, the order of the changes: each was written under the lock of what it changed.
  sequence        bigint GENERATED ALWAYS AS IDENTITY UNIQUE,
  endpoint_id     uuid NOT NULL REFERENCES webhook_endpoint,
  event           text NOT NULL,
  -- What it is about; the messages about one thing leave one after another. Null: a test.
  subject_id      uuid,
  -- Exactly what is signed and sent.
  body            text NOT NULL,
  created_at      timestamptz NOT NULL DEFAULT now(),
  status          text NOT NULL DEFAULT 'waiting' CHECK (status IN ('waiting', 'delivered', 'failed')),
  attempts        int NOT NULL DEFAULT 0,
  -- Null: at once. While one is in progress: when it counts as lost.
  next_attempt_at timestamptz,
  last_attempt_at timestamptz,
  -- How the last attempt ended: the receiver's HTTP status, or why there is none.
  reply_status    int,
  problem         text
);
CREATE INDEX webhook_delivery_waiting ON webhook_delivery (endpoint_id, sequence)
  WHERE status = 'waiting';
CREATE INDEX webhook_delivery_log ON webhook_delivery (endpoint_id, sequence DESC);
CREATE INDEX webhook_delivery_created ON webhook_delivery (created_at);
GRANT SELECT, INSERT, UPDATE, DELETE ON webhook_delivery TO purser_app;
SELECT guard_facts('webhook_delivery', ARRAY['status', 'attempts', 'next_attempt_at',
  'last_attempt_at', 'reply_status', 'problem']);
