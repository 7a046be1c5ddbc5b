-- Identity documents, the wallet verification profile, and the review desk's own tables.

ALTER TABLE company_settings
  ADD COLUMN kyc_min_age_years integer NOT NULL DEFAULT 18 CHECK (kyc_min_age_years BETWEEN 14 AND 25),
  -- How long rejected or closed material is kept, in days.
  ADD COLUMN kyc_retention_days integer NOT NULL DEFAULT 1825
    CHECK (kyc_retention_days BETWEEN 1 AND 36500);

-- An object in the file store, by its name. The row is there before the object and outlives it, so
-- that no object is ever without one: what is staged for too long or discarded, the sweep destroys.
CREATE TABLE kyc_file (
  id          uuid PRIMARY KEY,
  state       text NOT NULL DEFAULT 'staged' CHECK (state IN ('staged', 'kept', 'discarded')),
  state_since timestamptz NOT NULL
);
CREATE INDEX kyc_file_sweep ON kyc_file (state_since) WHERE state <> 'kept';

CREATE TABLE kyc_document (
  id             uuid PRIMARY KEY,
  user_id        uuid NOT NULL REFERENCES app_user,
  -- null: one of the wallet verification profile.
  application_id uuid REFERENCES kyc_application,
  type           text NOT NULL CHECK (type IN
    ('id_front', 'id_back', 'government_id', 'proof_of_address', 'social_security')),
  status         text NOT NULL DEFAULT 'pending' CHECK (status IN
    ('pending', 'under_review', 'approved', 'rejected')),
  version        integer NOT NULL DEFAULT 1,
  -- The image, encrypted; null once it is destroyed.
  file_id        uuid UNIQUE REFERENCES kyc_file,
  file_name_encrypted bytea,
  -- Of the image as it is kept.
  width          integer NOT NULL,
  height         integer NOT NULL,
  byte_size      integer NOT NULL,
  -- Keyed hashes of the bytes that came and of the image made of them, to find it used twice.
  original_hash  bytea,
  image_hash     bytea,
  hash_key_id    text,
  rejection_reason text,
  reviewed_by    uuid REFERENCES app_user,
  reviewed_at    timestamptz,
  uploaded_at    timestamptz NOT NULL,
  -- Set when another took its place or its owner removed it.
  replaced_at    timestamptz,
  destroyed_at   timestamptz,
  CHECK ((application_id IS NOT NULL) = (type IN ('id_front', 'id_back'))),
  CHECK ((destroyed_at IS NULL) = (file_id IS NOT NULL)),
  CHECK (destroyed_at IS NULL OR num_nonnulls(file_name_encrypted, original_hash, image_hash) = 0),
  CHECK (status <> 'rejected' OR rejection_reason IS NOT NULL),
  CHECK (status NOT IN ('approved', 'rejected') OR reviewed_at IS NOT NULL)
);
CREATE UNIQUE INDEX kyc_document_of_application ON kyc_document (application_id, type)
  WHERE replaced_at IS NULL AND application_id IS NOT NULL;
CREATE UNIQUE INDEX kyc_document_of_wallet ON kyc_document (user_id, type)
  WHERE replaced_at IS NULL AND application_id IS NULL;
CREATE INDEX kyc_document_user ON kyc_document (user_id, uploaded_at DESC);
CREATE INDEX kyc_document_original ON kyc_document (original_hash) WHERE original_hash IS NOT NULL;
CREATE INDEX kyc_document_image ON kyc_document (image_hash) WHERE image_hash IS NOT NULL;
CREATE INDEX kyc_document_replaced ON kyc_document (replaced_at)
  WHERE replaced_at IS NOT NULL AND destroyed_at IS NULL;

-- The wallet verification profile: recomputed from the three documents after every change.
CREATE TABLE kyc_profile (
  id          uuid PRIMARY KEY,
  user_id     uuid NOT NULL UNIQUE REFERENCES app_user,
  status      text NOT NULL DEFAULT 'not_started' CHECK (status IN
    ('not_started', 'pending', 'under_review', 'verified', 'rejected')),
  completion_percentage integer NOT NULL DEFAULT 0 CHECK (completion_percentage BETWEEN 0 AND 100),
  -- Where it stands in the review queue; null: not there.
  review_status text CHECK (review_status IN
    ('submitted', 'in_review', 'resubmit_required', 'approved', 'rejected')),
  -- When the oldest document that waits came, or the newest of all.
  submitted_at timestamptz,
  verified_at timestamptz,
  rejected_at timestamptz,
  rejection_reason text,
  updated_at  timestamptz NOT NULL,
  CHECK (review_status IS NULL OR submitted_at IS NOT NULL)
);
CREATE INDEX kyc_profile_queue ON kyc_profile (review_status, submitted_at, id)
  WHERE review_status IS NOT NULL;
CREATE INDEX kyc_profile_submitted ON kyc_profile (submitted_at, id) WHERE review_status IS NOT NULL;

-- Both kinds of what is reviewed, as one list.
CREATE VIEW kyc_review_item AS
  SELECT id, 'application' AS kind, user_id, status AS review_status, submitted_at
    FROM kyc_application WHERE status <> 'in_progress'
  UNION ALL
  SELECT id, 'documents' AS kind, user_id, review_status, submitted_at
    FROM kyc_profile WHERE review_status IS NOT NULL;

-- Which admin has a piece of the queue open. `item_id` is an application's or a profile's.
CREATE TABLE kyc_claim (
  item_id    uuid PRIMARY KEY,
  admin_id   uuid NOT NULL REFERENCES app_user,
  claimed_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL
);
CREATE INDEX kyc_claim_expiry ON kyc_claim (expires_at);

-- Private notes of the review desk, encrypted under the key of the person they are about.
CREATE TABLE kyc_note (
  id             uuid PRIMARY KEY,
  application_id uuid REFERENCES kyc_application,
  profile_id     uuid REFERENCES kyc_profile,
  author_id      uuid NOT NULL REFERENCES app_user,
  text_encrypted bytea NOT NULL,
  created_at     timestamptz NOT NULL,
  CHECK (num_nonnulls(application_id, profile_id) = 1)
);
CREATE INDEX kyc_note_application ON kyc_note (application_id, created_at);
CREATE INDEX kyc_note_profile ON kyc_note (profile_id, created_at);

GRANT SELECT, INSERT, UPDATE, DELETE ON kyc_file, kyc_claim TO purser_app;
GRANT SELECT, INSERT, UPDATE ON kyc_document, kyc_profile TO purser_app;
GRANT SELECT, INSERT, DELETE ON kyc_note TO purser_app;
GRANT SELECT ON kyc_review_item TO purser_app;
