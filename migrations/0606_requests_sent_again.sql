-- A payout that the bank sent back can be corrected and sent again under its own number: WD-61803399-2. It is a row of
-- its own, which names the one that it sends again, because what was asked for never changes.

ALTER TABLE withdrawal ADD COLUMN resends_id uuid REFERENCES withdrawal;
ALTER TABLE bill ADD COLUMN resends_id uuid REFERENCES bill;
-- Each is sent again once. One that was cancelled or rejected gives way to another.
CREATE UNIQUE INDEX withdrawal_resent_once ON withdrawal (resends_id) WHERE status NOT IN ('rejected', 'cancelled');
CREATE UNIQUE INDEX bill_resent_once ON bill (resends_id) WHERE status NOT IN ('rejected', 'cancelled');
CREATE INDEX withdrawal_resends ON withdrawal (resends_id) WHERE resends_id IS NOT NULL;
CREATE INDEX bill_resends ON bill (resends_id) WHERE resends_id IS NOT NULL;
SELECT guard_facts('withdrawal', ARRAY['status', 'rejection_reason', 'ledger_transaction_id', 'transaction_reference',
  'moved_at', 'moved_by', 'updated_at', 'left_bank_on', 'bank_reference', 'settlement_id']);
SELECT guard_facts('bill', ARRAY['status', 'rejection_reason', 'ledger_transaction_id', 'transaction_reference',
  'moved_at', 'moved_by', 'updated_at', 'left_bank_on', 'bank_reference', 'settlement_id']);

ALTER TABLE thing_move DISABLE TRIGGER thing_move_facts;
INSERT INTO thing_move (thing, from_status, act, to_status, money, actor) VALUES
  ('withdrawal', '', 'requestAgain',  'pending',   'held', 'owner'),
  ('bill',       '', 'scheduleAgain', 'scheduled', 'held', 'owner');
ALTER TABLE thing_move ENABLE TRIGGER thing_move_facts;

-- What is sent again came back before, to the wallet that it is paid from again, and has the number of the first one with
-- a suffix.
CREATE FUNCTION attempt_check() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  v_found boolean;
BEGIN
  EXECUTE format('SELECT true FROM public.%I WHERE id = $1 AND status = ''returned'' AND user_id = $2
                     AND wallet_id = $3 AND amount_minor = $4 AND currency = $5
                     AND substring($6 FROM ''^[A-Z]+-[0-9]+'') = substring(reference FROM ''^[A-Z]+-[0-9]+'')',
                 TG_TABLE_NAME)
    INTO v_found
    USING NEW.resends_id, NEW.user_id, NEW.wallet_id, NEW.amount_minor, NEW.currency, NEW.reference;
  IF v_found IS NULL OR NEW.reference !~ '^[A-Z]+-[0-9]+-[0-9]+$' THEN
    RAISE EXCEPTION 'The % % sends nothing again', TG_TABLE_NAME, NEW.id
      USING ERRCODE = 'check_violation', TABLE = TG_TABLE_NAME, CONSTRAINT = TG_TABLE_NAME || '_resends';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER withdrawal_attempt BEFORE INSERT ON withdrawal
  FOR EACH ROW WHEN (NEW.resends_id IS NOT NULL) EXECUTE FUNCTION attempt_check();
CREATE TRIGGER bill_attempt BEFORE INSERT ON bill
  FOR EACH ROW WHEN (NEW.resends_id IS NOT NULL) EXECUTE FUNCTION attempt_check();

-- The suffix is part of the number, so that the posting of WD-61803399-2 is TXN-61803399-2, and nobody else's.
ALTER TABLE reference_number
  DROP CONSTRAINT reference_number_digits_check,
  ADD CONSTRAINT reference_number_digits_check CHECK (digits ~ '^[0-9]+(-[0-9]+)?$');
CREATE OR REPLACE FUNCTION claim_request_number() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  INSERT INTO public.reference_number (digits, thing_id)
  VALUES (substring(NEW.reference FROM '[0-9]+(?:-[0-9]+)?$'), NEW.id);
  RETURN NULL;
END $$;
CREATE OR REPLACE FUNCTION claim_posting_number() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  v_digits text := substr(NEW.reference, 5);
  v_thing  uuid := coalesce(NEW.subject_id, NEW.id);
BEGIN
  IF v_digits !~ '^[0-9]+(-[0-9]+)?$' THEN RETURN NULL; END IF;
  PERFORM FROM public.reference_number WHERE digits = v_digits AND thing_id = v_thing;
  IF NOT FOUND THEN
    INSERT INTO public.reference_number (digits, thing_id) VALUES (v_digits, v_thing);
  END IF;
  RETURN NULL;
END $$;
DROP TRIGGER withdrawal_number ON withdrawal;
CREATE TRIGGER withdrawal_number AFTER INSERT ON withdrawal
  FOR EACH ROW WHEN (NEW.reference ~ '^WD-[0-9]+(-[0-9]+)?$') EXECUTE FUNCTION claim_request_number();
DROP TRIGGER bill_number ON bill;
CREATE TRIGGER bill_number AFTER INSERT ON bill
  FOR EACH ROW WHEN (NEW.reference ~ '^BP-[0-9]+(-[0-9]+)?$') EXECUTE FUNCTION claim_request_number();
