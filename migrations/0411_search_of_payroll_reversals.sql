-- The log of all transactions finds a reversal of a payroll by its reason and by the words to the employee.
ALTER TABLE payroll_reversal
  ADD COLUMN search_words text NOT NULL GENERATED ALWAYS AS (
    search_text(replace(reason, '_', ' ') || ' ' || message)) STORED;
CREATE INDEX payroll_reversal_search ON payroll_reversal USING gin (search_words gin_trgm_ops);
