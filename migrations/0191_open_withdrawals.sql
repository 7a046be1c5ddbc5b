-- All withdrawals that an admin still has a step to take in come before the others, the most urgent first.
CREATE INDEX withdrawal_open ON withdrawal (urgency_rank DESC, requested_at, id)
  WHERE status IN ('pending', 'approved', 'processing');
DROP INDEX withdrawal_decided;
CREATE INDEX withdrawal_ended ON withdrawal (requested_at DESC, id DESC)
  WHERE status NOT IN ('pending', 'approved', 'processing');
