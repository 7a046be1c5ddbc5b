-- The sum that leaves an account from new browsers in a day is bounded, and a large payment to a colleague is mailed.
ALTER TABLE company_settings
  ADD COLUMN new_browser_limit_minor bigint NOT NULL DEFAULT 100000 CHECK (new_browser_limit_minor >= 10000),
  ADD COLUMN payment_mail_above_minor bigint NOT NULL DEFAULT 50000 CHECK (payment_mail_above_minor > 0);
GRANT UPDATE (new_browser_limit_minor, payment_mail_above_minor) ON company_settings TO purser_app;

-- Sums of a person and day that were sent from new browsers, in minor units of the company's currency.
CREATE TABLE new_browser_sum (
  user_id uuid NOT NULL REFERENCES app_user ON DELETE CASCADE,
  day date NOT NULL,
  sum_minor bigint NOT NULL CHECK (sum_minor > 0),
  last_at timestamptz NOT NULL,
  PRIMARY KEY (user_id, day)
);
CREATE INDEX new_browser_sum_last_at ON new_browser_sum (last_at);
GRANT SELECT, INSERT, UPDATE, DELETE ON new_browser_sum TO purser_app;
SELECT guard_facts('new_browser_sum', ARRAY['sum_minor', 'last_at']);
