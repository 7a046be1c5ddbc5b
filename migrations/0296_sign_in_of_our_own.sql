-- Sign-in is ours alone (docs/decisions/051-sign-in-of-our-own.md). Columns that only Better Auth read or
-- wrote go, and the token of a session is kept as its hash.

ALTER TABLE auth_session RENAME COLUMN token TO token_hash;
ALTER TABLE auth_session RENAME CONSTRAINT auth_session_token_key TO auth_session_token_hash_key;
ALTER TABLE auth_session DROP COLUMN updated_at;
-- People stay signed in: their cookies still have the token. Better Auth wrote '' where nothing was known.
UPDATE auth_session
   SET token_hash = encode(sha256(convert_to(token_hash, 'UTF8')), 'hex'),
       ip_address = nullif(ip_address, ''),
       user_agent = nullif(user_agent, '');

-- One row for each person who has chosen a password.
ALTER TABLE auth_account
  DROP COLUMN id,
  DROP COLUMN account_id,
  DROP COLUMN provider_id,
  DROP COLUMN access_token,
  DROP COLUMN refresh_token,
  DROP COLUMN access_token_expires_at,
  DROP COLUMN refresh_token_expires_at,
  DROP COLUMN scope,
  DROP COLUMN id_token,
  ADD PRIMARY KEY (user_id);
DROP INDEX auth_account_user;

-- Two-factor is on where app_user says so. Wrong codes are counted in rate_limit.
ALTER TABLE auth_two_factor
  DROP COLUMN verified,
  DROP COLUMN failed_verification_count,
  DROP COLUMN locked_until;

ALTER TABLE auth_verification DROP COLUMN updated_at;
