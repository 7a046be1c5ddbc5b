-- Micro-deposits: two credits of less than a dollar in a payout file, whose amounts the owner of a bank account reads at their
-- bank. Where the company chose them, an account is verified only after its owner entered both. They are money of the
-- company: each is posted from account_verification when its file is sent, as docs/ledger.md says.

ALTER TABLE company_settings
  DROP CONSTRAINT company_settings_bank_account_proof_check,
  ADD CONSTRAINT company_settings_bank_account_proof_check CHECK (
    bank_account_proof IN ('none', 'prenote', 'micro_deposits'));

-- An account is rejected by nobody once its tries or its time are over.
ALTER TABLE bank_account
  DROP CONSTRAINT bank_account_moved,
  ADD CONSTRAINT bank_account_moved CHECK (
    (status = 'pending') = (moved_at IS NULL)
    AND CASE WHEN moved_by IS NULL THEN status IN ('pending', 'rejected') ELSE moved_at IS NOT NULL END);

ALTER TABLE payout_file_item
  -- The first or the second deposit to a bank account; null of everything else.
  ADD COLUMN deposit_number smallint CHECK (deposit_number IN (1, 2)),
  -- Posting of a deposit, and the one that cleared payouts in transit.
  ADD COLUMN ledger_transaction_id uuid UNIQUE REFERENCES ledger_transaction,
  ADD COLUMN settlement_id uuid UNIQUE REFERENCES ledger_transaction,
  DROP CONSTRAINT payout_file_item_payees_check,
  DROP CONSTRAINT payout_file_item_thing,
  DROP CONSTRAINT payout_file_item_amount,
  ADD CONSTRAINT payout_file_item_payees_check CHECK (payees IN ('people', 'businesses', 'accounts', 'micro_deposits')),
  ADD CONSTRAINT payout_file_item_thing CHECK (num_nonnulls(withdrawal_id, bill_id, bank_account_id) = 1
    AND (bank_account_id IS NULL) = (account_as_of IS NULL)
    AND (bank_account_id IS NULL) = (payees IN ('people', 'businesses'))
    AND (deposit_number IS NULL) = (payees <> 'micro_deposits')),
  -- A prenote moves no money, a micro-deposit at most 99 cents, and everything else more than nothing.
  ADD CONSTRAINT payout_file_item_amount CHECK (CASE payees
    WHEN 'accounts' THEN amount_minor = 0
    WHEN 'micro_deposits' THEN amount_minor BETWEEN 1 AND 99
    ELSE amount_minor > 0 END),
  ADD CONSTRAINT payout_file_item_posted CHECK (
    (ledger_transaction_id IS NULL OR deposit_number IS NOT NULL)
    AND (settlement_id IS NULL OR ledger_transaction_id IS NOT NULL));
SELECT guard_facts('payout_file_item', ARRAY['is_live', 'ledger_transaction_id', 'settlement_id']);

-- An account as it was handed in has one prenote, or two deposits of different amounts.
DROP INDEX payout_file_item_prenote;
CREATE UNIQUE INDEX payout_file_item_account ON payout_file_item (bank_account_id, account_as_of, amount_minor)
  WHERE is_live AND bank_account_id IS NOT NULL;
CREATE UNIQUE INDEX payout_file_item_deposit ON payout_file_item (bank_account_id, account_as_of, deposit_number)
  WHERE is_live AND deposit_number IS NOT NULL;
-- Deposits that came back are few, and lines of statements are matched with them.
CREATE INDEX payout_file_item_returned ON payout_file_item (id) WHERE NOT is_live AND ledger_transaction_id IS NOT NULL;

-- A try of an owner to enter both amounts. The amounts that were entered are not kept.
CREATE TABLE micro_deposit_try (
  -- The first of the two deposits.
  item_id     uuid NOT NULL REFERENCES payout_file_item,
  number      smallint NOT NULL CHECK (number BETWEEN 1 AND 3),
  is_right    boolean NOT NULL,
  tried_at    timestamptz NOT NULL CHECK (isfinite(tried_at)),
  PRIMARY KEY (item_id, number)
);
-- Nothing is tried after the right amounts.
CREATE UNIQUE INDEX micro_deposit_try_right ON micro_deposit_try (item_id) WHERE is_right;
GRANT SELECT, INSERT ON micro_deposit_try TO purser_app;
CREATE TRIGGER micro_deposit_try_facts BEFORE UPDATE OR DELETE OR TRUNCATE ON micro_deposit_try
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_fact_change();

ALTER TABLE chart_account
  DROP CONSTRAINT chart_account_account_check,
  ADD CONSTRAINT chart_account_account_check CHECK (account IN ('companyBank', 'companyTransfers', 'wallets', 'payroll',
    'individualFunding', 'payoutsInTransit', 'bankFees', 'bankInterest', 'accountVerification'));

-- A micro-deposit that a bank asked other details for can come back as well.
DROP INDEX return_entry_item;
CREATE UNIQUE INDEX return_entry_item ON return_entry (item_id) WHERE status = 'booked' AND kind = 'return';

-- As before, and of a micro-deposit the reversal of its posting. A notification of change about one gives nothing back.
CREATE OR REPLACE FUNCTION return_entry_check() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' AND OLD.status NOT IN ('unknown', 'proposed') THEN
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
