-- An application whose material was destroyed is nothing to review: it leaves the queue.

CREATE OR REPLACE VIEW kyc_review_item AS
  SELECT id, 'application' AS kind, user_id, status AS review_status, submitted_at
    FROM kyc_application WHERE status <> 'in_progress' AND destroyed_at IS NULL
  UNION ALL
  SELECT id, 'documents' AS kind, user_id, review_status, submitted_at
    FROM kyc_profile WHERE review_status IS NOT NULL;

-- For the sweep: rejected images that nobody replaced.
CREATE INDEX kyc_document_rejected ON kyc_document (reviewed_at)
  WHERE status = 'rejected' AND destroyed_at IS NULL;
