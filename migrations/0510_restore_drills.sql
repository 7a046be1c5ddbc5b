-- Trials of a restored backup: what `npm run restore -- --drill` found. System Health shows the last one, and Open
-- Risks that there was none for long. Only the owner of the database writes here, as an operator has it: the server
-- cannot invent a trial.
CREATE TABLE restore_drill (
  id                  bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  ended_at            timestamptz NOT NULL DEFAULT now(),
  -- Newest transaction in the restored books; null: there was none.
  last_transaction_at timestamptz,
  -- Sealed blocks whose roots were kept and that the backup lacks.
  lost_blocks         integer NOT NULL CHECK (lost_blocks >= 0),
  is_sound            boolean NOT NULL
);
GRANT SELECT ON restore_drill TO purser_app;
CREATE TRIGGER restore_drill_facts BEFORE UPDATE ON restore_drill
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_fact_change();
CREATE TRIGGER restore_drill_rows BEFORE DELETE OR TRUNCATE ON restore_drill
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_fact_change();
