-- A confirmation holds for the browser that gave it: hash of that browser's cookie, null for one that brought none.
ALTER TABLE auth_session ADD COLUMN confirmed_in text;
