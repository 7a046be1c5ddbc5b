-- The orders of the admins' lists, each as an index of just the rows its part of the list has. What
-- waits is the newest there is, so an index of everything would be read past all of it to find the
-- newest that is decided.

CREATE INDEX withdrawal_decided ON withdrawal (requested_at DESC, id DESC)
  WHERE status <> 'pending';
DROP INDEX withdrawal_by_urgency;
CREATE INDEX withdrawal_by_urgency ON withdrawal (urgency_rank, requested_at DESC, id DESC);

DROP INDEX bank_account_newest;
CREATE INDEX bank_account_decided ON bank_account (submitted_at DESC, id DESC)
  WHERE removed_at IS NULL AND status <> 'pending';

CREATE INDEX kyc_application_waiting ON kyc_application (submitted_at, id)
  WHERE status IN ('submitted', 'in_review');
CREATE INDEX kyc_application_settled ON kyc_application (submitted_at, id)
  WHERE status IN ('resubmit_required', 'approved', 'rejected');
CREATE INDEX kyc_profile_waiting ON kyc_profile (submitted_at, id)
  WHERE review_status IN ('submitted', 'in_review');
CREATE INDEX kyc_profile_settled ON kyc_profile (submitted_at, id)
  WHERE review_status IN ('resubmit_required', 'approved', 'rejected');

CREATE INDEX app_user_by_name ON app_user (last_name, first_name, id);
