-- Lines of a statement are searched and read a page at a time: those without a match first, then the others, the newest first.
ALTER TABLE bank_line
  ADD COLUMN search_words text NOT NULL GENERATED ALWAYS AS (search_text(
    text || ' ' || coalesce(counterparty, '') || ' ' || coalesce(bank_reference, '') || ' '
      || coalesce(end_to_end_reference, '') || ' ' || coalesce(trace, '') || ' ' || coalesce(batch_reference, ''))) STORED;
SELECT guard_facts('bank_line', ARRAY['matched_at', 'matched_by', 'match_reason']);
CREATE INDEX bank_line_of_statement
  ON bank_line (statement_id, (matched_at IS NULL) DESC, booked_on DESC, position DESC);
