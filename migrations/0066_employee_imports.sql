-- A CSV file of employees that an admin imports: checked first, and its people added once it is
-- confirmed. Kept for a while, so that its result can be looked up.
CREATE TABLE employee_import (
  id              uuid PRIMARY KEY,
  file_name       text NOT NULL,
  byte_count      integer NOT NULL DEFAULT 0,
  status          text NOT NULL CHECK (status IN ('reading', 'checked', 'importing', 'finished')),
  -- Grows each time it is checked.
  version         integer NOT NULL DEFAULT 1,
  header          text[] NOT NULL DEFAULT '{}',
  -- Which column of the file each is, counted from 0; null where the file has none.
  full_name_column  smallint,
  email_column      smallint,
  department_column smallint,
  position_column   smallint,
  row_count       integer NOT NULL DEFAULT 0,
  ready_count     integer NOT NULL DEFAULT 0,
  error_count     integer NOT NULL DEFAULT 0,
  duplicate_count integer NOT NULL DEFAULT 0,
  imported_count  integer NOT NULL DEFAULT 0,
  failed_count    integer NOT NULL DEFAULT 0,
  -- Every row up to this one is decided.
  done_through    integer NOT NULL DEFAULT 0,
  -- Whether each is mailed a link to choose a password.
  is_mailed       boolean NOT NULL,
  created_by      uuid NOT NULL REFERENCES app_user,
  created_at      timestamptz NOT NULL,
  confirmed_by    uuid REFERENCES app_user,
  confirmed_at    timestamptz,
  finished_at     timestamptz,
  updated_at      timestamptz NOT NULL,
  CONSTRAINT employee_import_confirmed CHECK (
    (status IN ('importing', 'finished')) = (confirmed_at IS NOT NULL)
    AND (confirmed_by IS NULL) = (confirmed_at IS NULL)),
  CONSTRAINT employee_import_finished CHECK ((status = 'finished') = (finished_at IS NOT NULL))
);
-- One at a time.
CREATE UNIQUE INDEX employee_import_open ON employee_import ((true)) WHERE finished_at IS NULL;
CREATE INDEX employee_import_created ON employee_import (created_at);

CREATE TABLE employee_import_row (
  id         uuid PRIMARY KEY,
  import_id  uuid NOT NULL REFERENCES employee_import ON DELETE CASCADE,
  -- As a spreadsheet counts: the header is row 1.
  row_number integer NOT NULL,
  -- As they stand in the file, so that it can be checked again by other columns.
  cells      jsonb NOT NULL,
  full_name  text NOT NULL,
  email      text NOT NULL,
  department text NOT NULL,
  position   text NOT NULL,
  status     text NOT NULL
             CHECK (status IN ('error', 'duplicate', 'ready', 'imported', 'failed')),
  -- [{ column, message }]
  problems   jsonb NOT NULL DEFAULT '[]',
  -- Who was added; of a duplicate, who is here already.
  user_id    uuid REFERENCES app_user,
  UNIQUE (import_id, row_number),
  CONSTRAINT employee_import_row_added CHECK (status <> 'imported' OR user_id IS NOT NULL)
);
-- The orders of the list.
CREATE INDEX employee_import_row_status ON employee_import_row (import_id, status, row_number);
CREATE INDEX employee_import_row_chosen ON employee_import_row (import_id, row_number)
  WHERE status IN ('ready', 'imported');
-- Duplicates within the file.
CREATE INDEX employee_import_row_email ON employee_import_row (import_id, email, row_number)
  WHERE status = 'ready';

GRANT SELECT, INSERT, UPDATE, DELETE ON employee_import TO purser_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON employee_import_row TO purser_app;
SELECT guard_facts('employee_import', ARRAY['byte_count', 'status', 'version', 'header',
  'full_name_column', 'email_column', 'department_column', 'position_column', 'row_count', 'ready_count', 'error_count', 'duplicate_count', 'imported_count', 'failed_count',
  'done_through', 'confirmed_by', 'confirmed_at', 'finished_at', 'updated_at']);
SELECT guard_facts('employee_import_row', ARRAY['full_name', 'email', 'department', 'position',
  'status', 'problems', 'user_id']);
