-- The browser that an account began in, which is never a new one, is a fact of its own. It was inferred from the oldest
-- place that is kept: a thief's, once the owner's places were deleted. Rows from before have none, because the same
-- inference would have to fill it.
ALTER TABLE known_place
  ADD COLUMN is_first boolean NOT NULL DEFAULT false,
  ADD CONSTRAINT known_place_first CHECK (kind = 'browser' OR NOT is_first);
SELECT guard_facts('known_place', ARRAY['last_seen_at']);
