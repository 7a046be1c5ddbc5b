-- The picture of a person: small, cropped and encrypted under their own key. Another one has another id.
CREATE TABLE avatar (
  id       uuid PRIMARY KEY,
  user_id  uuid NOT NULL UNIQUE REFERENCES app_user,
  -- A JPEG of 256 pixels a side is mostly below 20 KB.
  image_encrypted bytea NOT NULL CHECK (octet_length(image_encrypted) <= 131072),
  set_at   timestamptz NOT NULL
);
GRANT SELECT, INSERT, DELETE ON avatar TO purser_app;
CREATE TRIGGER avatar_facts BEFORE UPDATE ON avatar
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_fact_change();
