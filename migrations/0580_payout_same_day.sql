-- Same-day payout files: whether the company's bank takes them and until when, and the most of one payment.
ALTER TABLE company_settings
  -- Time in New York until which the bank takes a file whose payments arrive on the same day.
  ADD COLUMN payout_same_day_until text NOT NULL DEFAULT '1345'
    CHECK (payout_same_day_until IN ('none', '0930', '1015', '1230', '1345', '1415', '1530', '1615')),
  -- Most of one payment: the network's limit, or a lower one of the bank.
  ADD COLUMN payout_same_day_most_minor bigint NOT NULL DEFAULT 100000000 CHECK (payout_same_day_most_minor > 0);
GRANT UPDATE (payout_same_day_until, payout_same_day_most_minor) ON company_settings TO purser_app;

-- The moment until which the bank must have the file; null where nothing in it is paid on the same day.
ALTER TABLE payout_file ADD COLUMN same_day_until timestamptz;
SELECT guard_facts('payout_file', ARRAY['status', 'moved_at', 'moved_by', 'updated_at', 'download_reason',
  'left_bank_on', 'bank_reference']);
