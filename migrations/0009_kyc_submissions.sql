-- An application's history tells its submissions beside the decisions: the application itself keeps
-- the time of the last one alone.

ALTER TABLE kyc_action DROP CONSTRAINT kyc_action_action_check;
ALTER TABLE kyc_action ADD CONSTRAINT kyc_action_action_check CHECK (action IN
  ('submitted', 'moved_to_review', 'approved', 'rejected', 'resubmission_requested'));

-- Of those before this, the last is known, not its version; 0 is nobody's.
INSERT INTO kyc_action (id, application_id, application_version, action, actor_id, created_at)
  SELECT gen_random_uuid(), id, 0, 'submitted', user_id, submitted_at
    FROM kyc_application WHERE submitted_at IS NOT NULL;
