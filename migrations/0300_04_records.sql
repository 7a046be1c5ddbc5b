-- The baseline, part 4: rows that a command writes with its change: the audit trail, idempotency keys,
-- notifications, the outbox and webhooks.

-- Audit trail: who did what to which thing. Field names and masked values only. Insertable columns leave the
-- number and the time of an event to the database.
CREATE TABLE audit_event (
  id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  at         timestamptz NOT NULL DEFAULT clock_timestamp(),
  -- The admin who made the key, of an act by an API key; the details name the key.
  actor_id   uuid,
  actor_role text NOT NULL CHECK (actor_role IN ('employee', 'admin', 'apiKey', 'visitor', 'system')),
  action     text NOT NULL,
  subject_type text NOT NULL,
  subject_id   uuid,
  -- The person it concerns, who may see it.
  person_id  uuid,
  details    jsonb NOT NULL DEFAULT '{}',
  request_id text,
  -- A time at infinity would never be sealed.
  CONSTRAINT audit_event_finite_time CHECK (isfinite(at))
);
CREATE INDEX audit_event_subject ON audit_event (subject_type, subject_id, id);
CREATE INDEX audit_event_actor ON audit_event (actor_id, id);
CREATE INDEX audit_event_person ON audit_event (person_id, id);
-- Orders of the audit page. The index by role has employees, too: without them, with 10,000,000 entries, the
-- page of their acts read 4.5 times as long as with 10,000, past long runs of other rows.
CREATE INDEX audit_event_thing ON audit_event (subject_type, id);
CREATE INDEX audit_event_role ON audit_event (actor_role, id);
CREATE INDEX audit_event_at ON audit_event (at);
CREATE TRIGGER audit_event_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_event
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- Address and browser of an act, in a table of their own so that they can be erased without touching the record.
CREATE TABLE audit_origin (
  audit_event_id bigint PRIMARY KEY,
  at         timestamptz NOT NULL DEFAULT now(),
  ip_address text,
  user_agent text,
  CONSTRAINT audit_origin_finite_time CHECK (isfinite(at))
);
CREATE INDEX audit_origin_at ON audit_origin (at);

-- Idempotency: the first insert of a money request's transaction. Only successes stay.
CREATE TABLE idempotency_key (
  principal_id  uuid NOT NULL,
  key           text NOT NULL CHECK (length(key) BETWEEN 8 AND 200),
  route         text NOT NULL,
  request_hash  bytea NOT NULL,
  status        integer,
  -- json, not jsonb: a repeated request gets the very same bytes.
  reply         json,
  created_at    timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (principal_id, key)
);
CREATE INDEX idempotency_key_created ON idempotency_key (created_at);

-- Notifications and mail -----------------------------------------------------------------------------

CREATE TABLE notification (
  id         uuid PRIMARY KEY,
  user_id    uuid NOT NULL REFERENCES app_user,
  type       text NOT NULL,
  title      text NOT NULL,
  message    text NOT NULL,
  related_id uuid,
  read_at    timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  -- The catalogue's name of it: its link and its mail follow from it. An unknown one leads to the dashboard.
  kind       text NOT NULL,
  -- Deleted ones stay for the undo, and are swept by their time.
  deleted_at timestamptz
);
CREATE INDEX notification_inbox ON notification (user_id, created_at DESC, id DESC);
-- For the retention sweep: rows lie in the order of their time, so a few pages serve.
CREATE INDEX notification_created ON notification USING brin (created_at);
CREATE INDEX notification_unread ON notification (user_id)
  WHERE read_at IS NULL AND deleted_at IS NULL;
CREATE INDEX notification_deleted ON notification (deleted_at) WHERE deleted_at IS NOT NULL;

-- Mail that a person wants, and how often. No row: everything, as it happens.
CREATE TABLE email_preference (
  user_id             uuid PRIMARY KEY REFERENCES app_user,
  email_enabled       boolean NOT NULL DEFAULT true,
  deposit_alerts      boolean NOT NULL DEFAULT true,
  withdrawal_updates  boolean NOT NULL DEFAULT true,
  verification_alerts boolean NOT NULL DEFAULT true,
  security_alerts     boolean NOT NULL DEFAULT true,
  info_notifications  boolean NOT NULL DEFAULT true,
  profile_updates     boolean NOT NULL DEFAULT true,
  kyc_updates         boolean NOT NULL DEFAULT true,
  email_frequency     text NOT NULL DEFAULT 'immediate'
    CHECK (email_frequency IN ('immediate', 'daily', 'weekly')),
  updated_at          timestamptz NOT NULL
);

-- A digest that was made for a person: at most one for each day, however many processes look.
CREATE TABLE email_digest (
  id        uuid PRIMARY KEY,
  user_id   uuid NOT NULL REFERENCES app_user,
  -- The company's day whose morning it is for.
  day       date NOT NULL,
  made_at   timestamptz NOT NULL,
  -- Time of the mail server's answer: it is not mailed again.
  mailed_at timestamptz,
  UNIQUE (user_id, day)
);
CREATE INDEX email_digest_made ON email_digest (made_at);

-- A notification that is mailed in a digest, from the time at which its own mail would have left. It is in the
-- digest that takes it, and in no other.
CREATE TABLE email_digest_item (
  notification_id uuid PRIMARY KEY REFERENCES notification ON DELETE CASCADE,
  user_id         uuid NOT NULL REFERENCES app_user,
  waiting_since   timestamptz NOT NULL,
  digest_id       uuid REFERENCES email_digest ON DELETE CASCADE
);
CREATE INDEX email_digest_item_waiting ON email_digest_item (user_id, waiting_since)
  WHERE digest_id IS NULL;
CREATE INDEX email_digest_item_digest ON email_digest_item (digest_id);
CREATE INDEX email_digest_item_since ON email_digest_item (waiting_since);

-- Addresses that do not exist, as the mail server has said: nothing is sent to them until it is lifted.
CREATE TABLE mail_suppression (
  email text PRIMARY KEY,
  since timestamptz NOT NULL
);
CREATE INDEX mail_suppression_since ON mail_suppression (since);

-- Outbox ---------------------------------------------------------------------------------------------

-- Changes, for live screens, mail and jobs. Written with the change; the relay deletes them.
CREATE TABLE outbox (
  id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  kind       text NOT NULL CHECK (kind IN ('event', 'mail', 'job')),
  topic      text NOT NULL,
  -- Null: every admin.
  user_id    uuid,
  payload    jsonb NOT NULL DEFAULT '{}',
  created_at timestamptz NOT NULL DEFAULT now()
);

-- Outbox rows that could not be relayed (docs/decisions/009). A row comes here out of the way of the others, is
-- tried again after growing waits, and is then set aside until an admin has it tried once more or discards it.
-- The outbox has no column for this, so rows that are relayed the first time cost nothing more.
CREATE TABLE outbox_failed (
  -- All but the last three columns are the outbox row's.
  id         bigint PRIMARY KEY,
  kind       text NOT NULL,
  topic      text NOT NULL,
  user_id    uuid,
  payload    jsonb NOT NULL,
  created_at timestamptz NOT NULL,
  attempts   integer NOT NULL CHECK (attempts > 0),
  -- Null: set aside.
  next_attempt_at timestamptz,
  -- Without the values that it was about.
  last_error text NOT NULL
);
CREATE INDEX outbox_failed_due ON outbox_failed (next_attempt_at)
  WHERE next_attempt_at IS NOT NULL;

-- Webhooks (docs/decisions/030) ----------------------------------------------------------------------

-- Addresses of the company's own systems that are sent events (contract/webhooks.ts).
CREATE TABLE webhook_endpoint (
  id                      uuid PRIMARY KEY,
  url                     text NOT NULL CHECK (url ~ '^https://'),
  -- Names of acts, as contract/webhooks.ts has them.
  events                  text[] NOT NULL CHECK (cardinality(events) > 0),
  created_by              uuid NOT NULL REFERENCES app_user,
  created_at              timestamptz NOT NULL,
  -- The signing secret, under the data key of the admin who made it.
  secret_encrypted        bytea NOT NULL,
  secret_owner            uuid NOT NULL REFERENCES app_user,
  secret_at               timestamptz NOT NULL,
  -- The former secret also signs until then, so that the receiver can be changed over.
  former_secret_encrypted bytea,
  former_secret_owner     uuid REFERENCES app_user,
  former_secret_until     timestamptz,
  removed_by              uuid REFERENCES app_user,
  removed_at              timestamptz,
  CHECK ((removed_by IS NULL) = (removed_at IS NULL)),
  CHECK (num_nulls(former_secret_encrypted, former_secret_owner, former_secret_until) IN (0, 3))
);

-- One message to one of them, written with the change that it reports.
CREATE TABLE webhook_delivery (
  -- Also the `webhook-id` that the receiver knows it by, the same at each attempt.
  id              uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  -- Order of the changes of one subject: each was written under the lock of the changed row.
  sequence        bigint GENERATED ALWAYS AS IDENTITY UNIQUE,
  endpoint_id     uuid NOT NULL REFERENCES webhook_endpoint,
  event           text NOT NULL,
  -- The messages about one subject leave one after another. Null: a test.
  subject_id      uuid,
  -- Exactly the signed and sent text.
  body            text NOT NULL,
  created_at      timestamptz NOT NULL DEFAULT now(),
  status          text NOT NULL DEFAULT 'waiting' CHECK (status IN ('waiting', 'delivered', 'failed')),
  attempts        int NOT NULL DEFAULT 0,
  -- Null: immediately. During an attempt: the time at which it counts as lost.
  next_attempt_at timestamptz,
  last_attempt_at timestamptz,
  -- Outcome of the last attempt: the receiver's HTTP status, or why there is none.
  reply_status    int,
  problem         text
);
CREATE INDEX webhook_delivery_waiting ON webhook_delivery (endpoint_id, sequence)
  WHERE status = 'waiting';
CREATE INDEX webhook_delivery_log ON webhook_delivery (endpoint_id, sequence DESC);
CREATE INDEX webhook_delivery_created ON webhook_delivery (created_at);
-- The number of failed messages is shown next to each address.
CREATE INDEX webhook_delivery_failed ON webhook_delivery (endpoint_id) WHERE status = 'failed';
