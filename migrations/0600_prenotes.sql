-- Prenotes: entries without money in payout files, by which the bank of an employee says that an account does not exist.
-- Where the company chose them, a bank account is verified only after its bank had the time to answer.

ALTER TABLE company_settings
  ADD COLUMN bank_account_proof text NOT NULL DEFAULT 'none' CHECK (bank_account_proof IN ('none', 'prenote'));
GRANT UPDATE (bank_account_proof) ON company_settings TO purser_app;

-- A file of prenotes alone has no amount.
ALTER TABLE payout_file
  DROP CONSTRAINT payout_file_total_minor_check,
  ADD CONSTRAINT payout_file_total_minor_check CHECK (total_minor >= 0);

ALTER TABLE payout_file_item
  ADD COLUMN bank_account_id uuid REFERENCES bank_account,
  -- The account as it was handed in at this time. One that was handed in again since needs another prenote.
  ADD COLUMN account_as_of timestamptz,
  DROP CONSTRAINT payout_file_item_amount_minor_check,
  DROP CONSTRAINT payout_file_item_payees_check,
  DROP CONSTRAINT payout_file_item_thing,
  ADD CONSTRAINT payout_file_item_payees_check CHECK (payees IN ('people', 'businesses', 'accounts')),
  ADD CONSTRAINT payout_file_item_thing CHECK (num_nonnulls(withdrawal_id, bill_id, bank_account_id) = 1
    AND (bank_account_id IS NULL) = (account_as_of IS NULL) AND (bank_account_id IS NULL) = (payees <> 'accounts')),
  -- A prenote moves no money, and everything else does.
  ADD CONSTRAINT payout_file_item_amount CHECK (
    CASE WHEN bank_account_id IS NULL THEN amount_minor > 0 ELSE amount_minor = 0 END);
SELECT guard_facts('payout_file_item', ARRAY['is_live']);
CREATE UNIQUE INDEX payout_file_item_prenote ON payout_file_item (bank_account_id, account_as_of) WHERE is_live;

-- A prenote that came back gave no money back.
ALTER TABLE return_entry
  DROP CONSTRAINT return_entry_booked,
  ADD CONSTRAINT return_entry_booked CHECK (CASE status
    WHEN 'booked' THEN item_id IS NOT NULL
      AND (transaction_id IS NOT NULL AND kind = 'return' OR amount_minor = 0 AND kind IN ('return', 'change'))
    ELSE transaction_id IS NULL END);

CREATE OR REPLACE FUNCTION return_entry_check() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' AND OLD.status NOT IN ('unknown', 'proposed') THEN
    RAISE EXCEPTION 'The return entry % is decided', NEW.id
      USING ERRCODE = 'check_violation', TABLE = TG_TABLE_NAME, CONSTRAINT = 'return_entry_decided';
  END IF;
  IF NEW.status = 'booked' AND NEW.transaction_id IS NULL THEN
    -- A prenote, which has left its file.
    PERFORM FROM public.payout_file_item AS item
     WHERE item.id = NEW.item_id AND item.bank_account_id IS NOT NULL AND NOT item.is_live;
  ELSIF NEW.status = 'booked' THEN
    PERFORM
      FROM public.payout_file_item AS item
      LEFT JOIN public.withdrawal ON withdrawal.id = item.withdrawal_id
      LEFT JOIN public.bill ON bill.id = item.bill_id
      JOIN public.ledger_transaction AS reversal ON reversal.id = NEW.transaction_id
     WHERE item.id = NEW.item_id AND item.amount_minor = NEW.amount_minor
       AND coalesce(withdrawal.status, bill.status) = 'returned'
       AND reversal.reverses_id = coalesce(withdrawal.ledger_transaction_id, bill.ledger_transaction_id);
  ELSE
    RETURN NEW;
  END IF;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'The return entry % gave no money back', NEW.id
      USING ERRCODE = 'check_violation', TABLE = TG_TABLE_NAME, CONSTRAINT = 'return_entry_posting';
  END IF;
  RETURN NEW;
END $$;
