-- The most that an API key sends on a day of the company, in minor units. Null: it sends no money, or was made before
-- keys had limits; then the limit of one payroll is that of its day.
ALTER TABLE api_key ADD COLUMN daily_limit_minor bigint CHECK (daily_limit_minor > 0);

-- People whom an API key added, whom it does not pay soon.
CREATE INDEX audit_event_added_by_key ON audit_event ((details ->> 'apiKeyId'), at) WHERE action = 'user.created';

SELECT guard_facts('api_key', ARRAY['last_used_at', 'revoked_by', 'revoked_at']);
