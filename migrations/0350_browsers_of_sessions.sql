-- A session knows the browser that it began in, and until when that browser is a new one for its person; both are null
-- in a session from before. A confirmation holds for the browser that gave it. Browsers are hashes of their cookies.
ALTER TABLE auth_session
  ADD COLUMN browser text,
  ADD COLUMN browser_new_until timestamptz,
  ADD COLUMN confirmed_in text;
