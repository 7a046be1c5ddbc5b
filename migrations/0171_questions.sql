-- Questions of employees about a transaction of theirs, each with one answer. Both are kept.
CREATE TABLE question (
  id          uuid PRIMARY KEY,
  user_id     uuid NOT NULL REFERENCES app_user,
  -- The row of the history that it is about: a transaction or request, a dot, the type of the account.
  event_id    text NOT NULL CHECK (event_id <> ''),
  -- Reference and description of that row when it was asked.
  reference   text NOT NULL,
  description text NOT NULL,
  -- The posting, where there was one.
  transaction_id uuid REFERENCES ledger_transaction,
  question    text NOT NULL CHECK (question <> ''),
  asked_at    timestamptz NOT NULL,
  answer      text CHECK (answer <> ''),
  answered_by uuid REFERENCES app_user,
  answered_at timestamptz,
  CHECK ((answer IS NULL) = (answered_at IS NULL)),
  CHECK ((answer IS NULL) = (answered_by IS NULL)),
  CHECK (answered_by <> user_id)
);
-- One question at a time about one thing.
CREATE UNIQUE INDEX question_waiting_once ON question (user_id, event_id) WHERE answered_at IS NULL;
CREATE INDEX question_event ON question (user_id, event_id, asked_at, id);
CREATE INDEX question_queue ON question (asked_at, id) WHERE answered_at IS NULL;
CREATE INDEX question_answered ON question (asked_at DESC, id DESC) WHERE answered_at IS NOT NULL;
CREATE INDEX question_owner ON question (user_id, asked_at DESC, id DESC);
GRANT SELECT, INSERT, UPDATE ON question TO purser_app;
SELECT guard_facts('question', ARRAY['answer', 'answered_by', 'answered_at']);
CREATE TRIGGER question_rows BEFORE DELETE OR TRUNCATE ON question
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_fact_change();
