-- A proposal is of a change of settings, or of an act on an administrator: their two-factor is reset, they are let in
-- again, or their rights are taken away. Another administrator accepts it. Where there is no other, it waits for a day
-- and may then be accepted by who proposed it.
ALTER TABLE security_proposal
  ADD COLUMN act text NOT NULL DEFAULT 'changeSettings',
  ADD COLUMN person_id uuid REFERENCES app_user,
  ADD COLUMN reason text,
  ADD COLUMN opens_at timestamptz,
  ALTER COLUMN rules DROP NOT NULL,
  ALTER COLUMN seen DROP NOT NULL,
  ADD CONSTRAINT security_proposal_act CHECK (
    act IN ('changeSettings', 'resetTwoFactor', 'reactivate', 'revokeAdmin')),
  ADD CONSTRAINT security_proposal_subject CHECK (CASE act
    WHEN 'changeSettings' THEN num_nulls(rules, seen) = 0 AND num_nonnulls(person_id, reason, opens_at) = 0
    ELSE num_nulls(person_id, reason) = 0 AND num_nonnulls(rules, seen) = 0 END),
  ADD CONSTRAINT security_proposal_not_own CHECK (person_id <> proposed_by),
  DROP CONSTRAINT security_proposal_check2,
  ADD CONSTRAINT security_proposal_accepted CHECK (
    outcome IS DISTINCT FROM 'accepted' OR decided_by <> proposed_by
    OR coalesce(decided_at >= opens_at, false));
ALTER TABLE security_proposal ALTER COLUMN act DROP DEFAULT;

-- One at a time of each act on each person, and one of settings.
DROP INDEX security_proposal_open;
CREATE UNIQUE INDEX security_proposal_open ON security_proposal (act, person_id) NULLS NOT DISTINCT
  WHERE outcome IS NULL;

SELECT guard_facts('security_proposal', ARRAY['outcome', 'decided_by', 'decided_at']);

-- Those who wait are read together, by time.
DROP INDEX second_person_wait_user;
