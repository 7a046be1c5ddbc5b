-- A confirmed payroll waits for the company's window before it is sent, and can be stopped until then. A
-- stopped or declined batch is a draft, which an admin can discard.
ALTER TABLE payroll_batch
  ADD COLUMN stopped_by uuid REFERENCES app_user,
  ADD COLUMN stopped_at timestamptz,
  ADD COLUMN discarded_by uuid REFERENCES app_user,
  ADD COLUMN discarded_at timestamptz,
  ADD CONSTRAINT payroll_batch_stopped CHECK (
    (stopped_by IS NULL) = (stopped_at IS NULL) AND (stopped_by IS NULL OR status = 'draft')),
  ADD CONSTRAINT payroll_batch_discarded CHECK (
    (discarded_by IS NULL) = (discarded_at IS NULL) AND (discarded_by IS NULL OR status = 'draft'));

-- These columns may change, and the time of sending: the window begins again with an approval.
SELECT guard_facts('payroll_batch', ARRAY(
  SELECT attname::text FROM pg_attribute
   WHERE attrelid = 'payroll_batch'::regclass AND attnum > 0 AND NOT attisdropped
     AND (attname = 'post_after'
          OR attnum <> ALL (SELECT unnest(tgattr::int2[]) FROM pg_trigger
                             WHERE tgrelid = 'payroll_batch'::regclass
                               AND tgname = 'payroll_batch_facts'))));

-- Up to ten minutes. A company that begins has a minute; the others keep what they have.
UPDATE company_settings SET payroll_cancel_seconds = least(payroll_cancel_seconds, 600);
UPDATE company_settings SET payroll_cancel_seconds = 60 WHERE NOT EXISTS (SELECT FROM app_user);
ALTER TABLE company_settings
  ALTER COLUMN payroll_cancel_seconds SET DEFAULT 60,
  DROP CONSTRAINT company_settings_payroll_cancel_seconds_check,
  ADD CONSTRAINT company_settings_payroll_cancel_seconds_check
    CHECK (payroll_cancel_seconds BETWEEN 0 AND 600);
