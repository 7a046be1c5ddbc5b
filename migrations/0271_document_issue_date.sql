-- Date of issue of a proof of address, as its owner gave it; null for those that were uploaded before it
-- was asked for.
ALTER TABLE kyc_document ADD COLUMN issued_on date
  CHECK (issued_on IS NULL OR type = 'proof_of_address');
SELECT guard_facts('kyc_document', ARRAY['status', 'version', 'file_id', 'file_name_encrypted',
  'original_hash', 'image_hash', 'hash_key_id', 'reviewed_by', 'reviewed_at', 'replaced_at',
  'destroyed_at', 'rejection_reason_encrypted']);
