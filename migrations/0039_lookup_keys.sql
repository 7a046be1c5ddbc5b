-- Keyed hashes find equal account numbers, ID numbers and images without decrypting any. What they are
-- keyed with is derived from the master key that was current when they were made, and hash_key_id
-- names that master key. So that a master key can be taken away while its hashes stay as they are
-- (that of an image could not be made again: the bytes that came in are not kept), its lookup secret
-- is kept here, encrypted under another master key. `npm run keys -- rotate` writes these rows.

CREATE TABLE lookup_key (
  -- The master key it is derived from, as hash_key_id names it.
  id             text PRIMARY KEY,
  -- The master key it is encrypted under.
  master_key_id  text NOT NULL,
  wrapped_secret bytea NOT NULL,
  created_at     timestamptz NOT NULL DEFAULT now()
);

GRANT SELECT, INSERT, UPDATE ON lookup_key TO purser_app;
CREATE TRIGGER lookup_key_rows BEFORE DELETE OR TRUNCATE ON lookup_key
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_fact_change();
SELECT guard_facts('lookup_key', ARRAY['master_key_id', 'wrapped_secret']);
