-- A bank account that the bank sent a payout back from is no longer verified: its owner confirms or edits
-- it, and an admin verifies it again.
ALTER TABLE bank_account
  DROP CONSTRAINT bank_account_status_check,
  ADD CONSTRAINT bank_account_status_check
    CHECK (status IN ('pending', 'verified', 'rejected', 'returned')),
  -- The payout that came back; kept until the account is decided on again.
  ADD COLUMN returned_withdrawal_id uuid REFERENCES withdrawal,
  ADD CONSTRAINT bank_account_returned CHECK (CASE status
    WHEN 'returned' THEN returned_withdrawal_id IS NOT NULL
    WHEN 'pending' THEN true
    ELSE returned_withdrawal_id IS NULL END);
-- It changes, so the trigger of guard_facts (0018), which names what stays, needs no change.
GRANT UPDATE (returned_withdrawal_id) ON bank_account TO purser_app;
