-- Returns that banks report by ISO 20022 (pain.002, camt.054). Their reasons have four characters. A payment that is not
-- known is kept under the reference that the message has for it, and the bank's own reference may be missing.
ALTER TABLE return_entry
  DROP CONSTRAINT return_entry_code_check,
  ADD CONSTRAINT return_entry_code_check CHECK (code ~ '^([RC]\d\d|[A-Z]{2}[A-Z0-9]{2})$'),
  DROP CONSTRAINT return_entry_original_trace_check,
  ADD CONSTRAINT return_entry_original_trace_check CHECK (original_trace ~ '^\d{15}$'
    OR char_length(code) = 4 AND char_length(original_trace) <= 35),
  DROP CONSTRAINT return_entry_bank_trace_check,
  ADD CONSTRAINT return_entry_bank_trace_check CHECK (bank_trace ~ '^\d{15}$'
    OR char_length(code) = 4 AND char_length(bank_trace) <= 35);
