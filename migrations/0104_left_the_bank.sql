-- The day on which the money of a withdrawal or a bill left the company's bank, and the bank's reference of
-- it, as an admin entered them when completing it. Rows that were completed before have neither.
ALTER TABLE withdrawal
  ADD COLUMN left_bank_on date,
  ADD COLUMN bank_reference text,
  ADD CONSTRAINT withdrawal_left_bank CHECK (left_bank_on IS NULL OR completed_at IS NOT NULL),
  ADD CONSTRAINT withdrawal_bank_reference CHECK (bank_reference IS NULL
    OR (left_bank_on IS NOT NULL AND char_length(bank_reference) BETWEEN 1 AND 35));
ALTER TABLE bill
  ADD COLUMN left_bank_on date,
  ADD COLUMN bank_reference text,
  ADD CONSTRAINT bill_left_bank CHECK (left_bank_on IS NULL OR paid_at IS NOT NULL),
  ADD CONSTRAINT bill_bank_reference CHECK (bank_reference IS NULL
    OR (left_bank_on IS NOT NULL AND char_length(bank_reference) BETWEEN 1 AND 35));

-- Written with the status; what was guarded before stays guarded.
SELECT guard_facts('withdrawal', ARRAY(
  SELECT attname::text FROM pg_attribute JOIN pg_trigger ON tgrelid = attrelid
   WHERE attrelid = 'withdrawal'::regclass AND tgname = 'withdrawal_facts'
     AND attnum > 0 AND NOT attisdropped AND attgenerated = ''
     AND attnum <> ALL (tgattr::int2[])));
SELECT guard_facts('bill', ARRAY(
  SELECT attname::text FROM pg_attribute JOIN pg_trigger ON tgrelid = attrelid
   WHERE attrelid = 'bill'::regclass AND tgname = 'bill_facts'
     AND attnum > 0 AND NOT attisdropped AND attgenerated = ''
     AND attnum <> ALL (tgattr::int2[])));
