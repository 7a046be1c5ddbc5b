-- Columns of files as somebody matched them by hand, remembered by the headings: the next export of the same system has
-- the same ones.
CREATE TABLE file_columns (
  -- `payroll salary`: amounts of a payroll into salary wallets.
  purpose       text NOT NULL CHECK (purpose <> ''),
  -- SHA-256 over the names of the file's columns in their order.
  headings_hash bytea NOT NULL CHECK (octet_length(headings_hash) = 32),
  -- { field: index of its column, or null }
  mapping       jsonb NOT NULL,
  chosen_by     uuid NOT NULL REFERENCES app_user,
  chosen_at     timestamptz NOT NULL,
  PRIMARY KEY (purpose, headings_hash)
);
-- They are deleted when nobody chose them again for years.
CREATE INDEX file_columns_chosen ON file_columns (chosen_at);
GRANT SELECT, INSERT, UPDATE, DELETE ON file_columns TO purser_app;
SELECT guard_facts('file_columns', ARRAY['mapping', 'chosen_by', 'chosen_at']);
