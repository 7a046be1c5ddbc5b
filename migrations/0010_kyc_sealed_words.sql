-- What reviewers write about a person (reasons, notes, what has to be mended) rests encrypted under
-- that person's key, as their private notes do, and is destroyed with the material it is about. SQL
-- cannot encrypt under a person's key, so words from before this are destroyed with their columns.

ALTER TABLE kyc_action DROP COLUMN notes;
-- AES-256-GCM of {"notes": ..., "items": [{"item": "id_back", "note": "Too dark"}]}; null: nothing was
-- written, or it is destroyed.
ALTER TABLE kyc_action ADD COLUMN words_encrypted bytea;
GRANT UPDATE (words_encrypted) ON kyc_action TO purser_app;

-- Read from the last action of the history.
ALTER TABLE kyc_application
  DROP COLUMN resubmission_notes, DROP COLUMN resubmission_items, DROP COLUMN rejection_reason;
-- Read from the documents.
ALTER TABLE kyc_profile DROP COLUMN rejection_reason;

ALTER TABLE kyc_document DROP COLUMN rejection_reason;
ALTER TABLE kyc_document ADD COLUMN rejection_reason_encrypted bytea,
  ADD CHECK (destroyed_at IS NULL OR rejection_reason_encrypted IS NULL);

-- Notifications point to where the words are instead of repeating them.
UPDATE notification SET message = 'See KYC Status for the reason.'
 WHERE type = 'verification' AND title IN ('Application rejected', 'Changes needed', 'Document rejected');
