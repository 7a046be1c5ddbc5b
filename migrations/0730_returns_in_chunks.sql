-- A returns file of up to 100,000 entries is read and judged whole by a decision, and its returns are booked after it in
-- chunks, as the payments of a payout file are posted. Until then an entry waits.
ALTER TABLE return_entry
  DROP CONSTRAINT return_entry_status_check,
  ADD CONSTRAINT return_entry_status_check CHECK (status IN ('waiting', 'booked', 'unknown', 'not_ours', 'repeated', 'listed',
    'proposed', 'accepted', 'declined')),
  DROP CONSTRAINT return_entry_cause_check,
  ADD CONSTRAINT return_entry_cause_check CHECK (cause IN ('trace', 'company', 'amount', 'reference', 'not_sent', 'debit',
    'reversal', 'returned', 'duty', 'account', 'data')),
  ADD CONSTRAINT return_entry_waiting CHECK (status <> 'waiting' OR item_id IS NOT NULL AND kind IN ('return', 'change'));
SELECT guard_facts('return_entry', ARRAY['status', 'cause', 'item_id', 'transaction_id', 'moved_at', 'moved_by']);
CREATE INDEX return_entry_waiting ON return_entry (file_id, record_number) WHERE status = 'waiting';
CREATE INDEX return_entry_coming ON return_entry (item_id) WHERE status = 'waiting' AND kind = 'return';
-- Each file of the page shows how many of its entries need an administrator.
DROP INDEX return_entry_open;
CREATE INDEX return_entry_open ON return_entry (file_id) WHERE status IN ('unknown', 'proposed');

-- As before. An entry that waits is decided by the job that books it.
CREATE OR REPLACE FUNCTION return_entry_check() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' AND OLD.status NOT IN ('waiting', 'unknown', 'proposed') THEN
    RAISE EXCEPTION 'The return entry % is decided', NEW.id
      USING ERRCODE = 'check_violation', TABLE = TG_TABLE_NAME, CONSTRAINT = 'return_entry_decided';
  END IF;
  IF NEW.status = 'booked' AND NEW.transaction_id IS NULL THEN
    PERFORM FROM public.payout_file_item AS item
     WHERE item.id = NEW.item_id AND item.bank_account_id IS NOT NULL
       AND CASE WHEN item.deposit_number IS NULL THEN NOT item.is_live ELSE NEW.kind = 'change' END;
  ELSIF NEW.status = 'booked' THEN
    PERFORM
      FROM public.payout_file_item AS item
      LEFT JOIN public.withdrawal ON withdrawal.id = item.withdrawal_id
      LEFT JOIN public.bill ON bill.id = item.bill_id
      JOIN public.ledger_transaction AS reversal ON reversal.id = NEW.transaction_id
     WHERE item.id = NEW.item_id AND item.amount_minor = NEW.amount_minor
       AND CASE WHEN item.deposit_number IS NULL THEN coalesce(withdrawal.status, bill.status) = 'returned'
                ELSE NOT item.is_live END
       AND reversal.reverses_id = coalesce(withdrawal.ledger_transaction_id, bill.ledger_transaction_id,
                                           item.ledger_transaction_id);
  ELSE
    RETURN NEW;
  END IF;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'The return entry % gave no money back', NEW.id
      USING ERRCODE = 'check_violation', TABLE = TG_TABLE_NAME, CONSTRAINT = 'return_entry_posting';
  END IF;
  RETURN NEW;
END $$;
