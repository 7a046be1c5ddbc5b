-- Addresses of which the mail server has said that they do not exist: nothing is sent to them any more,
-- until it is lifted.
CREATE TABLE mail_suppression (
  email text PRIMARY KEY,
  since timestamptz NOT NULL
);
CREATE INDEX mail_suppression_since ON mail_suppression (since);
-- UPDATE is for the locks of the retention sweep; the trigger refuses any.
GRANT SELECT, INSERT, UPDATE, DELETE ON mail_suppression TO purser_app;
CREATE TRIGGER mail_suppression_facts BEFORE UPDATE ON mail_suppression
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_fact_change();
