-- The guided set-up of a company that begins: one for all its admins, which step was done or skipped by
-- whom, and how it ended.
CREATE TABLE company_setup (
  id       boolean PRIMARY KEY DEFAULT true CHECK (id),
  -- null: it is open.
  outcome  text CHECK (outcome IN ('finished', 'dismissed')),
  -- null: the system.
  ended_by uuid REFERENCES app_user,
  ended_at timestamptz,
  CHECK ((outcome IS NULL) = (ended_at IS NULL)),
  CHECK (ended_by IS NULL OR outcome IS NOT NULL)
);
-- A company that has people has been set up without it.
INSERT INTO company_setup (outcome, ended_at)
SELECT CASE WHEN has_people THEN 'dismissed' END, CASE WHEN has_people THEN now() END
  FROM (SELECT EXISTS (SELECT FROM app_user) AS has_people) AS company;
GRANT SELECT, INSERT, UPDATE ON company_setup TO purser_app;
CREATE TRIGGER company_setup_rows BEFORE DELETE OR TRUNCATE ON company_setup
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_fact_change();
SELECT guard_facts('company_setup', ARRAY['outcome', 'ended_by', 'ended_at']);

CREATE TABLE company_setup_step (
  step       text PRIMARY KEY
    CHECK (step IN ('company', 'time', 'payday', 'joining', 'twoFactor', 'secondAdmin')),
  outcome    text NOT NULL CHECK (outcome IN ('done', 'skipped')),
  decided_by uuid NOT NULL REFERENCES app_user,
  decided_at timestamptz NOT NULL
);
GRANT SELECT, INSERT, UPDATE ON company_setup_step TO purser_app;
CREATE TRIGGER company_setup_step_rows BEFORE DELETE OR TRUNCATE ON company_setup_step
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_fact_change();
SELECT guard_facts('company_setup_step', ARRAY['outcome', 'decided_by', 'decided_at']);
