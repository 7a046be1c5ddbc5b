-- Whose payouts are frozen waits for an administrator, and is found among 100,000 people.
CREATE INDEX app_user_frozen ON app_user (name, id) WHERE payouts_frozen_at IS NOT NULL;
