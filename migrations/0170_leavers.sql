-- Money of a person who left: an administrator asks for it in their place, and may have entered the bank
-- account that it goes to.
ALTER TABLE withdrawal
  -- The administrator who asked for it; null where the owner did.
  ADD COLUMN requested_by uuid REFERENCES app_user,
  ADD CONSTRAINT withdrawal_requester CHECK (requested_by <> user_id);

ALTER TABLE bank_account
  -- The administrator who entered it as it is now; null where the owner did.
  ADD COLUMN entered_by uuid REFERENCES app_user,
  ADD CONSTRAINT bank_account_enterer CHECK (entered_by <> user_id),
  -- One administrator alone cannot make an account that money leaves to.
  ADD CONSTRAINT bank_account_two_people
    CHECK (status <> 'verified' OR entered_by IS NULL OR entered_by <> decided_by);

-- As guarded before, with the new columns: `requested_by` stays, `entered_by` changes.
SELECT guard_facts('withdrawal', ARRAY(
  SELECT attname::text FROM pg_attribute JOIN pg_trigger ON tgrelid = attrelid
   WHERE attrelid = 'withdrawal'::regclass AND tgname = 'withdrawal_facts'
     AND attnum > 0 AND NOT attisdropped AND attgenerated = ''
     AND attnum <> ALL (tgattr::int2[]) AND attname <> 'requested_by'));
SELECT guard_facts('bank_account', ARRAY(
  SELECT attname::text FROM pg_attribute JOIN pg_trigger ON tgrelid = attrelid
   WHERE attrelid = 'bank_account'::regclass AND tgname = 'bank_account_facts'
     AND attnum > 0 AND NOT attisdropped AND attgenerated = ''
     AND attnum <> ALL (tgattr::int2[])));
