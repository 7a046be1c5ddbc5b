-- Rows of a file that sum up the others and name nobody: they are left out, and the screen says so.
ALTER TABLE employee_import ADD COLUMN total_row_count integer NOT NULL DEFAULT 0;
SELECT guard_facts('employee_import', ARRAY['byte_count', 'status', 'version', 'header',
  'full_name_column', 'last_name_column', 'email_column', 'department_column', 'position_column',
  'row_count', 'total_row_count', 'ready_count', 'error_count', 'duplicate_count', 'imported_count',
  'failed_count', 'done_through', 'confirmed_by', 'confirmed_at', 'finished_at', 'updated_at']);
