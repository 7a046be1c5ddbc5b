-- Outbox rows that could not be relayed. A row comes here out of the way of the others, is tried again
-- after growing waits, and is then set aside until an admin has it tried once more or discards it. The
-- outbox itself is as it was, so what is relayed at once costs nothing more.
CREATE TABLE outbox_failed (
  -- The outbox row's, as all but the last three columns.
  id         bigint PRIMARY KEY,
  kind       text NOT NULL,
  topic      text NOT NULL,
  user_id    uuid,
  payload    jsonb NOT NULL,
  created_at timestamptz NOT NULL,
  attempts   integer NOT NULL CHECK (attempts > 0),
  -- null: set aside.
  next_attempt_at timestamptz,
  -- Without the values that it was about.
  last_error text NOT NULL
);
CREATE INDEX outbox_failed_due ON outbox_failed (next_attempt_at)
  WHERE next_attempt_at IS NOT NULL;

GRANT SELECT, INSERT, UPDATE, DELETE ON outbox_failed TO purser_app;
