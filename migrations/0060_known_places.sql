-- Where a person signed in before: their browsers, each by a cookie that it keeps, and networks. A sign-in
-- from another place is reported to them, and who guesses from elsewhere uses up no attempt of a known
-- browser.
CREATE TABLE known_place (
  user_id       uuid NOT NULL REFERENCES app_user ON DELETE CASCADE,
  kind          text NOT NULL CHECK (kind IN ('browser', 'network')),
  -- Of a browser the SHA-256 of its cookie, of a network the beginning of its addresses.
  key           text NOT NULL,
  first_seen_at timestamptz NOT NULL,
  last_seen_at  timestamptz NOT NULL,
  PRIMARY KEY (user_id, kind, key)
);
-- Several people may use one browser.
CREATE INDEX known_place_browser ON known_place (key) WHERE kind = 'browser';
CREATE INDEX known_place_last_seen ON known_place (last_seen_at);
GRANT SELECT, INSERT, UPDATE, DELETE ON known_place TO purser_app;
SELECT guard_facts('known_place', ARRAY['last_seen_at']);
