-- An administrator who was an employee stays one: paid, listed and counted.
ALTER TABLE app_user ADD COLUMN is_also_employee boolean NOT NULL DEFAULT false;
-- People who were accepted and had a number before they redeemed their invite.
UPDATE app_user SET is_also_employee = true
 WHERE role = 'admin' AND employee_number IS NOT NULL
   AND EXISTS (SELECT FROM admin_invite
                WHERE redeemed_by = app_user.id AND app_user.accepted_at < redeemed_at);
ALTER TABLE app_user ADD COLUMN is_employee boolean
  GENERATED ALWAYS AS (role = 'employee' OR is_also_employee) STORED NOT NULL;

-- The new column may change, besides those that could before.
SELECT guard_facts('app_user', ARRAY(
  SELECT attname::text FROM pg_attribute
   WHERE attrelid = 'app_user'::regclass AND attnum > 0 AND NOT attisdropped AND attgenerated = ''
     AND attnum <> ALL (SELECT unnest(tgattr::int2[]) FROM pg_trigger
                         WHERE tgrelid = 'app_user'::regclass AND tgname = 'app_user_facts')));

DROP INDEX app_user_joined, app_user_directory_name, app_user_directory_department,
  app_user_directory_deactivated, app_user_directory_search;
CREATE INDEX app_user_joined ON app_user (created_at) WHERE is_employee AND deactivated_at IS NULL;
CREATE INDEX app_user_directory_name ON app_user (name, id) WHERE is_employee;
CREATE INDEX app_user_directory_department ON app_user (department, name, id) WHERE is_employee;
CREATE INDEX app_user_directory_deactivated ON app_user (name, id)
  WHERE is_employee AND deactivated_at IS NOT NULL;
-- Repeated word for word by the list's search (server/modules/activity/employee-list.ts).
CREATE INDEX app_user_directory_search ON app_user USING gin
  ((first_name || ' ' || last_name || ' ' || email || ' ' || coalesce(employee_number, '') || ' '
    || replace(department, '-', ' ')) gin_trgm_ops)
  WHERE is_employee;
