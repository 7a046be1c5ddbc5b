-- Approved withdrawals and those that are being sent are listed as pending ones are: the most urgent first,
-- then the oldest.
CREATE INDEX withdrawal_to_send ON withdrawal (status, urgency_rank DESC, requested_at, id)
  WHERE status IN ('approved', 'processing');
