-- A private address at which the calendar of a person's phone reads when money comes. At most one each.
CREATE TABLE calendar_feed (
  user_id      uuid PRIMARY KEY REFERENCES app_user,
  -- SHA-256 of what the address has, which is random 256 bits; a new address replaces it.
  token_hash   bytea NOT NULL UNIQUE CHECK (octet_length(token_hash) = 32),
  -- What the events are called, in the person's own words.
  payday_words  text NOT NULL CHECK (payday_words <> ''),
  arrival_words text NOT NULL CHECK (arrival_words <> ''),
  bill_words    text NOT NULL CHECK (bill_words <> ''),
  has_arrivals boolean NOT NULL,
  has_bills    boolean NOT NULL,
  created_at   timestamptz NOT NULL,
  -- Noted at most once an hour.
  last_read_at timestamptz
);
GRANT SELECT, INSERT, UPDATE, DELETE ON calendar_feed TO purser_app;
SELECT guard_facts('calendar_feed', ARRAY['token_hash', 'payday_words', 'arrival_words',
  'bill_words', 'has_arrivals', 'has_bills', 'created_at', 'last_read_at']);
