-- The key of a person who left is destroyed once what is kept of them has ended: the row stays and
-- says when, so that no key is made for them again. What is sealed under it cannot be read by anybody
-- from then on.

ALTER TABLE data_key
  ALTER COLUMN wrapped_key DROP NOT NULL,
  ADD COLUMN destroyed_at timestamptz,
  ADD CONSTRAINT data_key_destroyed CHECK ((wrapped_key IS NULL) = (destroyed_at IS NOT NULL));
SELECT guard_facts('data_key', ARRAY['master_key_id', 'wrapped_key', 'destroyed_at']);
REVOKE DELETE ON data_key FROM purser_app;
CREATE TRIGGER data_key_rows BEFORE DELETE OR TRUNCATE ON data_key
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_fact_change();
