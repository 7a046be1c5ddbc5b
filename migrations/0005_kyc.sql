-- Identity applications (know your customer). What names a person is encrypted under their data
-- key; lookup hashes are keyed, so that equal values can be found without decrypting any.

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
  -- The key of the three hashes above, which every save makes anew.
  hash_key_id text,
  -- Keyed hash of the browser's SHA-256 of the security answer. It cannot be made anew from the
  -- answers, so it names its own key.
  security_answer_hash bytea,
  security_answer_key_id text,
  -- Names of the answers that are filled; the values stay encrypted.
  answered    text[] NOT NULL DEFAULT '{}',
  resubmission_notes text,
  -- What the reviewer asked to be mended: [{"item": "id_back", "note": "Too dark"}].
  resubmission_items jsonb NOT NULL DEFAULT '[]',
  rejection_reason text,
  submitted_at timestamptz,
  decided_by  uuid REFERENCES app_user,
  decided_at  timestamptz,
  -- When the answers were destroyed, kept for as long as they had to be.
  destroyed_at timestamptz,
  created_at  timestamptz NOT NULL DEFAULT now(),
  updated_at  timestamptz NOT NULL DEFAULT now(),
  CHECK ((security_answer_hash IS NULL) = (security_answer_key_id IS NULL)),
  CHECK (status = 'in_progress' OR submitted_at IS NOT NULL),
  CHECK (status = 'in_progress' OR (answers_encrypted IS NULL) = (destroyed_at IS NOT NULL)),
  CHECK (status NOT IN ('approved', 'rejected') OR (decided_by IS NOT NULL AND decided_at IS NOT NULL)),
  CHECK (status <> 'rejected' OR rejection_reason IS NOT NULL),
  CHECK (status <> 'resubmit_required' OR resubmission_notes IS NOT NULL)
);
-- One that is open or approved at a time; rejected ones are kept.
CREATE UNIQUE INDEX kyc_application_current ON kyc_application (user_id) WHERE status <> 'rejected';
CREATE INDEX kyc_application_latest ON kyc_application (user_id, created_at DESC, id DESC);
CREATE INDEX kyc_application_queue ON kyc_application (status, submitted_at, id);
CREATE INDEX kyc_application_submitted ON kyc_application (submitted_at, id)
  WHERE status <> 'in_progress';
-- For the signs that two people share something.
CREATE INDEX kyc_application_id_number ON kyc_application (id_number_hash) WHERE id_number_hash IS NOT NULL;
CREATE INDEX kyc_application_phone ON kyc_application (phone_hash) WHERE phone_hash IS NOT NULL;
CREATE INDEX kyc_application_address ON kyc_application (address_hash) WHERE address_hash IS NOT NULL;

-- What admins decided, in order: the review desk's history.
CREATE TABLE kyc_action (
  id             uuid PRIMARY KEY,
  application_id uuid NOT NULL REFERENCES kyc_application,
  -- The application's version after it: their order, and no two decisions on one version.
  application_version integer NOT NULL,
  action         text NOT NULL CHECK (action IN
    ('moved_to_review', 'approved', 'rejected', 'resubmission_requested')),
  actor_id       uuid NOT NULL REFERENCES app_user,
  notes          text,
  created_at     timestamptz NOT NULL DEFAULT now(),
  UNIQUE (application_id, application_version)
);

GRANT SELECT, INSERT, UPDATE ON kyc_application TO purser_app;
GRANT SELECT, INSERT ON kyc_action TO purser_app;
