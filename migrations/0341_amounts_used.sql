-- Amounts that were moved in a time, by what limits them: the duties, for what one administrator did alone in a month
-- of the company, and API keys, for what they sent on a day of it. One row a period, so that it is read in no time and
-- its lock puts concurrent ones in a row. It is the sum of the amounts that audit records name (`usedMinor`), with
-- which the verification compares it.
CREATE TABLE amount_used (
  limit_name   text NOT NULL
               CHECK (limit_name IN ('payroll', 'deposit', 'bankAccount', 'payout', 'return', 'apiKey')),
  -- The person paid ('bankAccount') or the API key. Null: the company.
  subject_id   uuid,
  -- The first day of the month; of an API key the day.
  since        date NOT NULL,
  amount_minor bigint NOT NULL CHECK (amount_minor >= 0),
  CONSTRAINT amount_used_period UNIQUE NULLS NOT DISTINCT (limit_name, subject_id, since)
);
GRANT SELECT, INSERT, UPDATE, DELETE ON amount_used TO purser_app;
SELECT guard_facts('amount_used', ARRAY['amount_minor']);
CREATE INDEX amount_used_since ON amount_used (since);

-- Records of amounts that were counted, which the verification adds up.
CREATE INDEX audit_event_used ON audit_event (at) WHERE details ? 'usedMinor';
