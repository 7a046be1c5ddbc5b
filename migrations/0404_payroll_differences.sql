-- The difference of a payroll to the last one, which the sender acknowledges group by group before it is sent.
ALTER TABLE company_settings
  -- Percent by which a person's pay may change before the change is one of the differences.
  ADD COLUMN payroll_change_percent integer NOT NULL DEFAULT 20 CHECK (payroll_change_percent BETWEEN 0 AND 100);
GRANT UPDATE (payroll_change_percent) ON company_settings TO purser_app;

-- The payday that a payroll was compared with, its batches, the percent, and the groups that were there. Null where no
-- payroll was before it, and in payrolls from before.
ALTER TABLE payroll_batch
  ADD COLUMN compared_on date,
  ADD COLUMN compared_with uuid[],
  ADD COLUMN compared_percent integer,
  ADD COLUMN differences text[],
  ADD CONSTRAINT payroll_batch_compared CHECK (
    num_nonnulls(compared_on, compared_with, compared_percent, differences) IN (0, 4)),
  ADD CONSTRAINT payroll_batch_differences CHECK (differences <@ ARRAY['new', 'gone', 'changed', 'total']);

SELECT guard_facts('payroll_batch', ARRAY['status', 'posted_through', 'paid_count', 'failed_count', 'paid_minor',
  'started_at', 'processed_at', 'mailed_at', 'updated_at', 'approved_by', 'approved_at', 'approved_alone',
  'decline_reason', 'post_after', 'discarded_at', 'reversed_count', 'reversed_minor']);

-- Groups of differences that an administrator has acknowledged. The hash is that of the preview, which covers everyone
-- and every amount: what changes it leaves nothing acknowledged.
CREATE TABLE payroll_acknowledgement (
  preview_hash bytea NOT NULL CHECK (length(preview_hash) = 32),
  difference   text NOT NULL CHECK (difference IN ('new', 'gone', 'changed', 'total')),
  user_id      uuid NOT NULL REFERENCES app_user,
  at           timestamptz NOT NULL,
  PRIMARY KEY (preview_hash, difference, user_id)
);
GRANT SELECT, INSERT, DELETE ON payroll_acknowledgement TO purser_app;
CREATE TRIGGER payroll_acknowledgement_facts BEFORE UPDATE ON payroll_acknowledgement
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_fact_change();
