-- Who signs up on an address that was never confirmed replaces the sign-up before: its password and its
-- name. The name of a person who was accepted, or whose address is confirmed, still never changes.
SELECT guard_facts('app_user', ARRAY['email_verified', 'two_factor_enabled', 'role', 'employee_number',
  'last_login_at', 'deactivated_at', 'updated_at', 'accepted_at', 'standing_reason',
  'password_reset_at', 'payouts_frozen_at', 'department', 'position', 'name', 'first_name',
  'last_name']);

CREATE TRIGGER app_user_names BEFORE UPDATE OF name, first_name, last_name ON app_user
  FOR EACH ROW WHEN (OLD.email_verified OR OLD.accepted_at IS NOT NULL)
  EXECUTE FUNCTION refuse_fact_change();
