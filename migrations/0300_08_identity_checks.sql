-- The baseline, part 8: identity checks (know your customer). Personal data is encrypted under the person's
-- data key; lookup hashes are keyed, so that equal values can be found without decrypting any. Reviewers'
-- words about a person rest encrypted under that person's key as well, and are destroyed with its material.

CREATE TABLE kyc_application (
  id          uuid PRIMARY KEY,
  user_id     uuid NOT NULL REFERENCES app_user,
  status      text NOT NULL DEFAULT 'in_progress' CHECK (status IN
    ('in_progress', 'submitted', 'in_review', 'approved', 'rejected', 'resubmit_required')),
  -- Raised by every change; a decision names the version it was made on.
  version     integer NOT NULL DEFAULT 1,
  -- AES-256-GCM of the answers as JSON.
  answers_encrypted bytea,
  id_number_hash bytea,
  phone_hash  bytea,
  address_hash bytea,
  -- The key of the three hashes above, which every save makes again.
  hash_key_id text,
  -- Keyed hash of the browser's SHA-256 of the security answer. It cannot be made again from the
  -- answers, so it names its own key.
  security_answer_hash bytea,
  security_answer_key_id text,
  -- Names of the answers that are filled; the values stay encrypted.
  answered    text[] NOT NULL DEFAULT '{}',
  submitted_at timestamptz,
  decided_by  uuid REFERENCES app_user,
  decided_at  timestamptz,
  -- Set when the answers were destroyed, at the end of their retention.
  destroyed_at timestamptz,
  created_at  timestamptz NOT NULL DEFAULT now(),
  updated_at  timestamptz NOT NULL DEFAULT now(),
  -- Names of the answers that were saved since the last record of the audit trail about this application: a save
  -- of the wizard is no record of its own (docs/decisions/042).
  unrecorded_fields text[] NOT NULL DEFAULT '{}',
  CHECK ((security_answer_hash IS NULL) = (security_answer_key_id IS NULL)),
  CHECK (status = 'in_progress' OR submitted_at IS NOT NULL),
  CHECK (status = 'in_progress' OR (answers_encrypted IS NULL) = (destroyed_at IS NOT NULL)),
  CHECK (status NOT IN ('approved', 'rejected') OR (decided_by IS NOT NULL AND decided_at IS NOT NULL))
);
-- One open or approved application at a time; rejected ones are kept.
CREATE UNIQUE INDEX kyc_application_current ON kyc_application (user_id) WHERE status <> 'rejected';
CREATE INDEX kyc_application_latest ON kyc_application (user_id, created_at DESC, id DESC);
CREATE INDEX kyc_application_queue ON kyc_application (status, submitted_at, id);
-- Orders of the review list, each as an index of just its part (docs/decisions/006).
CREATE INDEX kyc_application_submitted ON kyc_application (submitted_at, id)
  WHERE status <> 'in_progress';
CREATE INDEX kyc_application_waiting ON kyc_application (submitted_at, id)
  WHERE status IN ('submitted', 'in_review');
CREATE INDEX kyc_application_settled ON kyc_application (submitted_at, id)
  WHERE status IN ('resubmit_required', 'approved', 'rejected');
CREATE INDEX kyc_application_in_progress ON kyc_application (created_at, id)
  WHERE status = 'in_progress' AND destroyed_at IS NULL;
-- For the signs that two people share something.
CREATE INDEX kyc_application_id_number ON kyc_application (id_number_hash) WHERE id_number_hash IS NOT NULL;
CREATE INDEX kyc_application_phone ON kyc_application (phone_hash) WHERE phone_hash IS NOT NULL;
CREATE INDEX kyc_application_address ON kyc_application (address_hash) WHERE address_hash IS NOT NULL;

-- Submissions, decisions and corrections, in order: the history of an application.
CREATE TABLE kyc_action (
  id             uuid PRIMARY KEY,
  application_id uuid NOT NULL REFERENCES kyc_application,
  -- The application's version after it: their order, and no two decisions on one version.
  application_version integer NOT NULL,
  action         text NOT NULL CHECK (action IN
    ('submitted', 'moved_to_review', 'approved', 'rejected', 'resubmission_requested', 'name_changed',
     'address_corrected')),
  actor_id       uuid NOT NULL REFERENCES app_user,
  created_at     timestamptz NOT NULL DEFAULT now(),
  -- AES-256-GCM of {"notes": ..., "items": [{"item": "id_back", "note": "Too dark"}]}; null: nothing was
  -- written, or it is destroyed. The reason of a rejection is read from the last action.
  words_encrypted bytea,
  UNIQUE (application_id, application_version)
);

-- An object in the file store, by its name. The row is there before the object and outlives it, so that no
-- object is ever without one: the sweep destroys objects that are staged for too long or discarded.
CREATE TABLE kyc_file (
  id          uuid PRIMARY KEY,
  state       text NOT NULL DEFAULT 'staged' CHECK (state IN ('staged', 'kept', 'discarded')),
  state_since timestamptz NOT NULL
);
CREATE INDEX kyc_file_sweep ON kyc_file (state_since) WHERE state <> 'kept';

CREATE TABLE kyc_document (
  id             uuid PRIMARY KEY,
  user_id        uuid NOT NULL REFERENCES app_user,
  -- Null: a document of the wallet verification profile.
  application_id uuid REFERENCES kyc_application,
  type           text NOT NULL CHECK (type IN
    ('id_front', 'id_back', 'government_id', 'proof_of_address', 'social_security')),
  status         text NOT NULL DEFAULT 'pending' CHECK (status IN
    ('pending', 'under_review', 'approved', 'rejected')),
  version        integer NOT NULL DEFAULT 1,
  -- The image, encrypted; null once it is destroyed.
  file_id        uuid UNIQUE REFERENCES kyc_file,
  file_name_encrypted bytea,
  -- Size of the stored image.
  width          integer NOT NULL,
  height         integer NOT NULL,
  byte_size      integer NOT NULL,
  -- Keyed hashes of the uploaded bytes and of the image made of them, to find it used twice.
  original_hash  bytea,
  image_hash     bytea,
  hash_key_id    text,
  reviewed_by    uuid REFERENCES app_user,
  reviewed_at    timestamptz,
  uploaded_at    timestamptz NOT NULL,
  -- Set when another took its place or its owner removed it.
  replaced_at    timestamptz,
  destroyed_at   timestamptz,
  rejection_reason_encrypted bytea,
  -- Date of issue of a proof of address, as its owner gave it; null for those of before it was asked for.
  issued_on      date,
  CHECK ((application_id IS NOT NULL) = (type IN ('id_front', 'id_back'))),
  CHECK ((destroyed_at IS NULL) = (file_id IS NOT NULL)),
  CHECK (destroyed_at IS NULL OR num_nonnulls(file_name_encrypted, original_hash, image_hash) = 0),
  CHECK (destroyed_at IS NULL OR rejection_reason_encrypted IS NULL),
  CHECK (status NOT IN ('approved', 'rejected') OR reviewed_at IS NOT NULL),
  CHECK (issued_on IS NULL OR type = 'proof_of_address')
);
CREATE UNIQUE INDEX kyc_document_of_application ON kyc_document (application_id, type)
  WHERE replaced_at IS NULL AND application_id IS NOT NULL;
CREATE UNIQUE INDEX kyc_document_of_wallet ON kyc_document (user_id, type)
  WHERE replaced_at IS NULL AND application_id IS NULL;
CREATE INDEX kyc_document_user ON kyc_document (user_id, uploaded_at DESC);
CREATE INDEX kyc_document_original ON kyc_document (original_hash) WHERE original_hash IS NOT NULL;
CREATE INDEX kyc_document_image ON kyc_document (image_hash) WHERE image_hash IS NOT NULL;
-- For the sweep: replaced images, and rejected ones that nobody replaced.
CREATE INDEX kyc_document_replaced ON kyc_document (replaced_at)
  WHERE replaced_at IS NOT NULL AND destroyed_at IS NULL;
CREATE INDEX kyc_document_rejected ON kyc_document (reviewed_at)
  WHERE status = 'rejected' AND destroyed_at IS NULL;

-- The wallet verification profile: recomputed from the three documents after every change.
CREATE TABLE kyc_profile (
  id          uuid PRIMARY KEY,
  user_id     uuid NOT NULL UNIQUE REFERENCES app_user,
  status      text NOT NULL DEFAULT 'not_started' CHECK (status IN
    ('not_started', 'pending', 'under_review', 'verified', 'rejected')),
  completion_percentage integer NOT NULL DEFAULT 0 CHECK (completion_percentage BETWEEN 0 AND 100),
  -- Place in the review queue; null: not there.
  review_status text CHECK (review_status IN
    ('submitted', 'in_review', 'resubmit_required', 'approved', 'rejected')),
  -- Arrival of the oldest document that waits, or of the newest of all.
  submitted_at timestamptz,
  verified_at timestamptz,
  rejected_at timestamptz,
  updated_at  timestamptz NOT NULL,
  CHECK (review_status IS NULL OR submitted_at IS NOT NULL)
);
CREATE INDEX kyc_profile_queue ON kyc_profile (review_status, submitted_at, id)
  WHERE review_status IS NOT NULL;
CREATE INDEX kyc_profile_submitted ON kyc_profile (submitted_at, id) WHERE review_status IS NOT NULL;
CREATE INDEX kyc_profile_waiting ON kyc_profile (submitted_at, id)
  WHERE review_status IN ('submitted', 'in_review');
CREATE INDEX kyc_profile_settled ON kyc_profile (submitted_at, id)
  WHERE review_status IN ('resubmit_required', 'approved', 'rejected');

-- Applications and profiles under review, as one list. An application whose material was destroyed leaves it.
CREATE VIEW kyc_review_item AS
  SELECT id, 'application' AS kind, user_id, status AS review_status, submitted_at
    FROM kyc_application WHERE status <> 'in_progress' AND destroyed_at IS NULL
  UNION ALL
  SELECT id, 'documents' AS kind, user_id, review_status, submitted_at
    FROM kyc_profile WHERE review_status IS NOT NULL;

-- The admin who has an item of the queue open. `item_id` is an application's or a profile's.
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
