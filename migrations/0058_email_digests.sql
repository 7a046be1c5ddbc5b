-- A digest that was made for a person: at most one for each day, however many processes look.
CREATE TABLE email_digest (
  id        uuid PRIMARY KEY,
  user_id   uuid NOT NULL REFERENCES app_user,
  -- The company's day whose morning it is for.
  day       date NOT NULL,
  made_at   timestamptz NOT NULL,
  -- When the mail server answered: it is not mailed again.
  mailed_at timestamptz,
  UNIQUE (user_id, day)
);
CREATE INDEX email_digest_made ON email_digest (made_at);

-- A notification that is mailed in a digest, from when its own mail would have left. It is in the
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

GRANT SELECT, INSERT, UPDATE, DELETE ON email_digest TO purser_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON email_digest_item TO purser_app;
SELECT guard_facts('email_digest', ARRAY['mailed_at']);
SELECT guard_facts('email_digest_item', ARRAY['digest_id']);
