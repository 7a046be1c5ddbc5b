-- The directory of employees: its orders, each as an index of just its rows, and what it is searched by.
CREATE INDEX app_user_directory_name ON app_user (name, id) WHERE role = 'employee';
CREATE INDEX app_user_directory_department ON app_user (department, name, id)
  WHERE role = 'employee';
CREATE INDEX app_user_directory_deactivated ON app_user (name, id)
  WHERE role = 'employee' AND deactivated_at IS NOT NULL;
-- Repeated word for word by the list's search (server/modules/activity/employee-list.ts).
CREATE INDEX app_user_directory_search ON app_user USING gin
  ((first_name || ' ' || last_name || ' ' || email || ' ' || coalesce(employee_number, '') || ' '
    || replace(department, '-', ' ')) gin_trgm_ops)
  WHERE role = 'employee';

-- An admin changes where a person works and as what.
SELECT guard_facts('app_user', ARRAY['email_verified', 'two_factor_enabled', 'role', 'employee_number', 'last_login_at',
  'deactivated_at', 'updated_at', 'accepted_at', 'standing_reason', 'password_reset_at',
  'payouts_frozen_at', 'department', 'position']);
