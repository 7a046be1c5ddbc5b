-- The orders of the admins' list of deposits, and its search.

CREATE INDEX deposit_decided ON deposit (requested_at DESC, id DESC) WHERE status <> 'pending';
CREATE INDEX deposit_by_method ON deposit (method, requested_at DESC, id DESC);
CREATE INDEX deposit_by_amount ON deposit (amount_minor, id);
CREATE INDEX deposit_pending_by_amount ON deposit (amount_minor, id) WHERE status = 'pending';
CREATE INDEX deposit_search ON deposit USING gin ((description || ' ' || reference) gin_trgm_ops);

-- What was decided this month.
CREATE INDEX deposit_decided_at ON deposit (decided_at) WHERE status IN ('approved', 'rejected');
