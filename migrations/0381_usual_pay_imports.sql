-- A CSV file of usual pay that an admin uploaded and that has no error: its changes are made together once it is
-- confirmed, by a second admin if one of them is above the company's setting. Kept for a while.
CREATE TABLE usual_pay_import (
  id         uuid PRIMARY KEY,
  file_name  text NOT NULL,
  status     text NOT NULL CHECK (status IN ('checked', 'waiting', 'taken')),
  -- [{ row, userId, validFrom, lines: [{ walletType, beforeMinor, amountMinor }] }], without what changes nothing.
  changes    jsonb NOT NULL,
  -- SHA-256 over them, which confirming carries.
  hash       bytea NOT NULL,
  -- People whose row changes nothing.
  same_count integer NOT NULL,
  created_by uuid NOT NULL REFERENCES app_user,
  created_at timestamptz NOT NULL,
  -- The admin who confirmed it first, where it takes two.
  sent_by    uuid REFERENCES app_user,
  sent_at    timestamptz,
  taken_by   uuid REFERENCES app_user,
  taken_at   timestamptz,
  CONSTRAINT usual_pay_import_sent CHECK ((sent_by IS NULL) = (sent_at IS NULL)),
  CONSTRAINT usual_pay_import_waiting CHECK (status <> 'waiting' OR sent_by IS NOT NULL),
  CONSTRAINT usual_pay_import_taken CHECK (
    (status = 'taken') = (taken_by IS NOT NULL) AND (taken_by IS NULL) = (taken_at IS NULL)),
  CONSTRAINT usual_pay_import_second CHECK (taken_by <> sent_by)
);
-- One at a time.
CREATE UNIQUE INDEX usual_pay_import_open ON usual_pay_import ((true)) WHERE status <> 'taken';
CREATE INDEX usual_pay_import_created ON usual_pay_import (created_at);
GRANT SELECT, INSERT, UPDATE, DELETE ON usual_pay_import TO purser_app;
SELECT guard_facts('usual_pay_import', ARRAY['status', 'sent_by', 'sent_at', 'taken_by', 'taken_at']);
