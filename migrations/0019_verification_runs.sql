-- What the server's own verifications of the books found, and whether payouts are stopped because of
-- one. A run is written when it begins and again when it ends; one that never ended was lost with its
-- process, and the next run deletes it.
CREATE TABLE verification_run (
  id           bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  started_at   timestamptz NOT NULL,
  -- null: in progress, or lost.
  finished_at  timestamptz,
  -- What was verified: everything (null), or what came after this block.
  after_height bigint,
  -- The newest block that the run saw; the next one may begin there. null: nothing was sealed yet.
  head_height  bigint,
  is_sound     boolean,
  -- [{"check": "...", "id": "...", "what": "..."}]; at most 20 of each check.
  problems     jsonb NOT NULL DEFAULT '[]',
  CONSTRAINT verification_run_finished CHECK ((finished_at IS NULL) = (is_sound IS NULL)),
  CONSTRAINT verification_run_sound CHECK (is_sound IS NOT TRUE OR problems = '[]')
);
-- The newest of each kind that ended, without reading past the many short ones.
CREATE INDEX verification_run_unsound ON verification_run (id) WHERE NOT is_sound;
CREATE INDEX verification_run_whole ON verification_run (id)
  WHERE after_height IS NULL AND finished_at IS NOT NULL;
CREATE INDEX verification_run_started ON verification_run (started_at);

GRANT SELECT, INSERT, DELETE ON verification_run TO purser_app;

ALTER TABLE company_settings
  ADD COLUMN stop_payouts_when_unsound boolean NOT NULL DEFAULT true,
  -- null: payouts go on.
  ADD COLUMN payouts_stopped_at timestamptz;

SELECT guard_facts('company_settings', ARRAY['company_name', 'time_zone', 'routing_number',
  'employee_number_prefix', 'require_approved_identity', 'admin_idle_minutes',
  'payroll_cancel_seconds', 'payroll_frequency', 'payroll_day', 'demo', 'updated_at',
  'kyc_min_age_years', 'kyc_retention_days', 'stop_payouts_when_unsound', 'payouts_stopped_at']);
SELECT guard_facts('verification_run', ARRAY['finished_at', 'head_height', 'is_sound', 'problems']);
