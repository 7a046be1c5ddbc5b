-- Deposits that employees ask for themselves: what they were told to do, cancelling, and the two
-- photographs of a check.

-- Where the money goes that comes in. A method whose place is not set is not offered.
ALTER TABLE company_settings
  ADD COLUMN support_email text CHECK (support_email <> ''),
  -- In lines, as on an envelope: checks are mailed there.
  ADD COLUMN mailing_address text CHECK (mailing_address <> ''),
  -- The bank that keeps the wallets' accounts.
  ADD COLUMN receiving_bank_name text CHECK (receiving_bank_name <> ''),
  ADD COLUMN receiving_bank_address text CHECK (receiving_bank_address <> ''),
  -- The company's own page that takes cards: Purser never takes a card number.
  ADD COLUMN card_payment_page text CHECK (card_payment_page ~ '^https://'),
  ADD CONSTRAINT company_settings_receiving_bank
    CHECK ((receiving_bank_name IS NULL) = (receiving_bank_address IS NULL));
-- All of them change, so the trigger of guard_facts (0018), which names what stays, needs no change.
GRANT UPDATE (support_email, mailing_address, receiving_bank_name, receiving_bank_address,
  card_payment_page) ON company_settings TO purser_app;

ALTER TABLE deposit
  -- AES-256-GCM under the owner's data key; null for those made before Purser kept them.
  ADD COLUMN instructions_encrypted bytea,
  ADD CONSTRAINT deposit_owner_key UNIQUE (id, user_id),
  DROP CONSTRAINT deposit_status_check,
  ADD CONSTRAINT deposit_status_check
    CHECK (status IN ('pending', 'approved', 'rejected', 'cancelled')),
  DROP CONSTRAINT deposit_decider,
  -- Nobody decides on their own request, and nobody else cancels it.
  ADD CONSTRAINT deposit_decider
    CHECK (processed_by IS NULL OR (processed_by = user_id) = (status = 'cancelled'));
SELECT guard_facts('deposit', ARRAY['status', 'rejection_reason', 'ledger_transaction_id',
  'processed_by', 'decided_at', 'updated_at']);

DROP INDEX deposit_daily_limit;
CREATE INDEX deposit_daily_limit ON deposit (user_id, method, limit_day)
  WHERE status NOT IN ('rejected', 'cancelled');
CREATE INDEX deposit_owner_status ON deposit (user_id, status, requested_at DESC, id DESC);

-- The photographs of a check, kept like identity images (0007): the file is a row of kyc_file.
CREATE TABLE deposit_image (
  id             uuid PRIMARY KEY,
  deposit_id     uuid NOT NULL,
  user_id        uuid NOT NULL,
  side           text NOT NULL CHECK (side IN ('front', 'back')),
  -- The image, encrypted; null once it is destroyed.
  file_id        uuid UNIQUE REFERENCES kyc_file,
  file_name_encrypted bytea,
  width          integer NOT NULL,
  height         integer NOT NULL,
  byte_size      integer NOT NULL,
  -- Keyed hashes, to find a photograph that was sent with two deposits.
  original_hash  bytea,
  image_hash     bytea,
  hash_key_id    text,
  uploaded_at    timestamptz NOT NULL,
  -- Set when another took its place.
  replaced_at    timestamptz,
  destroyed_at   timestamptz,
  CONSTRAINT deposit_image_deposit_fkey FOREIGN KEY (deposit_id, user_id)
    REFERENCES deposit (id, user_id),
  CONSTRAINT deposit_image_destroyed CHECK ((destroyed_at IS NULL) = (file_id IS NOT NULL)),
  CONSTRAINT deposit_image_nothing_left CHECK (destroyed_at IS NULL
    OR num_nonnulls(file_name_encrypted, original_hash, image_hash, hash_key_id) = 0)
);
CREATE UNIQUE INDEX deposit_image_current ON deposit_image (deposit_id, side)
  WHERE replaced_at IS NULL;
CREATE INDEX deposit_image_original ON deposit_image (original_hash)
  WHERE original_hash IS NOT NULL;
CREATE INDEX deposit_image_content ON deposit_image (image_hash) WHERE image_hash IS NOT NULL;
CREATE INDEX deposit_image_kept ON deposit_image (deposit_id) WHERE destroyed_at IS NULL;

GRANT SELECT, INSERT, UPDATE ON deposit_image TO purser_app;
SELECT guard_facts('deposit_image', ARRAY['file_id', 'file_name_encrypted', 'original_hash',
  'image_hash', 'hash_key_id', 'replaced_at', 'destroyed_at']);
CREATE TRIGGER deposit_image_rows BEFORE DELETE OR TRUNCATE ON deposit_image
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_fact_change();
