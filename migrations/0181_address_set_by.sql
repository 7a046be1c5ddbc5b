-- An administrator sets the address that a person signs in with. A later change by the person
-- leaves it: whoever reads the address could make one.
ALTER TABLE app_user ADD COLUMN email_set_by uuid REFERENCES app_user CHECK (email_set_by <> id);
-- The new column may change, besides those that could before.
SELECT guard_facts('app_user', ARRAY(
  SELECT attname::text FROM pg_attribute
   WHERE attrelid = 'app_user'::regclass AND attnum > 0 AND NOT attisdropped AND attgenerated = ''
     AND attnum <> ALL (SELECT unnest(tgattr::int2[]) FROM pg_trigger
                         WHERE tgrelid = 'app_user'::regclass AND tgname = 'app_user_facts')));
