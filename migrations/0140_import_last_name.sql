-- Files that have first and last names in columns of their own.
ALTER TABLE employee_import ADD COLUMN last_name_column smallint;
SELECT guard_facts('employee_import', ARRAY['byte_count', 'status', 'version', 'header',
  'full_name_column', 'last_name_column', 'email_column', 'department_column', 'position_column',
  'row_count', 'ready_count', 'error_count', 'duplicate_count', 'imported_count', 'failed_count',
  'done_through', 'confirmed_by', 'confirmed_at', 'finished_at', 'updated_at']);
