-- Health checks, and the indexes behind the rest of the admin dashboard that shows them.

-- One row a minute in which Purser ran. False is a fault, null could not be judged. With several
-- processes a minute has passed only if it did in each of them.
CREATE TABLE health_check (
  -- The beginning of the minute.
  at       timestamptz NOT NULL,
  database boolean NOT NULL,
  queue    boolean,
  mail     boolean,
  storage  boolean,
  passed   boolean NOT NULL GENERATED ALWAYS AS
    (database AND queue IS NOT FALSE AND mail IS NOT FALSE AND storage IS NOT FALSE) STORED,
  -- A month of minutes is counted from the index alone.
  PRIMARY KEY (at) INCLUDE (passed)
);
GRANT SELECT, INSERT, UPDATE, DELETE ON health_check TO purser_app;

CREATE INDEX app_user_joined ON app_user (created_at)
  WHERE role = 'employee' AND deactivated_at IS NULL;
CREATE INDEX withdrawal_completed ON withdrawal (completed_at) INCLUDE (amount_minor)
  WHERE status = 'completed';
CREATE INDEX deposit_newest ON deposit (requested_at DESC, id DESC);
