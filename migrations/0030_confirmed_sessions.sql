-- When the user of a session last showed who they are, by password or second factor: at sign-in, and
-- again before what a stolen session must not do. null: never in this session.
ALTER TABLE auth_session ADD COLUMN confirmed_at timestamptz;
