-- The order of applications that are still being filled in, newest first.
CREATE INDEX kyc_application_in_progress ON kyc_application (created_at, id)
  WHERE status = 'in_progress' AND destroyed_at IS NULL;
