-- The audit trail is the record of who did what to a withdrawal, a bill, a deposit and a bank account. Their rows
-- repeated it in 19 columns, with checks and verification to keep the two equal. A row now keeps its last act alone:
-- `moved_at` and `moved_by`, which are null in its first status and after it was handed in again. `moved_by` is null
-- where Purser did it. The columns of the most frequent last act are renamed, so that their rows stay as they are.

-- Actor of an act: its owner, an admin who is not its owner, or Purser itself. A test compares it with the contract.
ALTER TABLE thing_move ADD COLUMN actor text CHECK (actor IN ('owner', 'admin', 'system'));
ALTER TABLE thing_move DISABLE TRIGGER thing_move_facts;
UPDATE thing_move SET actor = CASE
  WHEN act IN ('request', 'cancel', 'schedule', 'replace', 'change') THEN 'owner'
  WHEN act IN ('scheduleFirst', 'take') THEN 'system'
  ELSE 'admin' END;
ALTER TABLE thing_move ENABLE TRIGGER thing_move_facts;
ALTER TABLE thing_move ALTER COLUMN actor SET NOT NULL;

ALTER TABLE withdrawal
  DROP CONSTRAINT withdrawal_approved,
  DROP CONSTRAINT withdrawal_check1,
  DROP CONSTRAINT withdrawal_check2,
  DROP CONSTRAINT withdrawal_check3,
  DROP CONSTRAINT withdrawal_check4,
  DROP CONSTRAINT withdrawal_check5,
  DROP CONSTRAINT withdrawal_closer,
  DROP CONSTRAINT withdrawal_completed,
  DROP CONSTRAINT withdrawal_deciders,
  DROP CONSTRAINT withdrawal_left_bank,
  DROP CONSTRAINT withdrawal_processing;
ALTER TABLE withdrawal RENAME COLUMN completed_at TO moved_at;
ALTER TABLE withdrawal RENAME COLUMN completed_by TO moved_by;
ALTER TABLE withdrawal RENAME CONSTRAINT withdrawal_completed_by_fkey TO withdrawal_moved_by_fkey;
UPDATE withdrawal SET
  moved_at = CASE status WHEN 'approved' THEN approved_at WHEN 'processing' THEN processing_at ELSE closed_at END,
  moved_by = CASE status WHEN 'approved' THEN approved_by WHEN 'processing' THEN processing_by ELSE closed_by END
 WHERE status NOT IN ('pending', 'completed');
ALTER TABLE withdrawal
  DROP COLUMN approved_at,
  DROP COLUMN approved_by,
  DROP COLUMN processing_at,
  DROP COLUMN processing_by,
  DROP COLUMN closed_at,
  DROP COLUMN closed_by,
  ADD CONSTRAINT withdrawal_moved CHECK (
    (status = 'pending') = (moved_at IS NULL) AND (moved_at IS NULL) = (moved_by IS NULL)),
  ADD CONSTRAINT withdrawal_left_bank CHECK (left_bank_on IS NULL OR ledger_transaction_id IS NOT NULL);
SELECT guard_facts('withdrawal', ARRAY['status', 'rejection_reason', 'ledger_transaction_id',
  'transaction_reference', 'moved_at', 'moved_by', 'updated_at', 'left_bank_on', 'bank_reference']);

ALTER TABLE bill
  DROP CONSTRAINT bill_actors,
  DROP CONSTRAINT bill_closed,
  DROP CONSTRAINT bill_closer,
  DROP CONSTRAINT bill_deciders,
  DROP CONSTRAINT bill_left_bank,
  DROP CONSTRAINT bill_paid,
  DROP CONSTRAINT bill_sent,
  DROP CONSTRAINT bill_taken;
ALTER TABLE bill RENAME COLUMN paid_at TO moved_at;
ALTER TABLE bill RENAME COLUMN paid_by TO moved_by;
ALTER TABLE bill RENAME CONSTRAINT bill_paid_by_fkey TO bill_moved_by_fkey;
UPDATE bill SET
  moved_at = CASE status WHEN 'due' THEN taken_at WHEN 'sent' THEN sent_at ELSE closed_at END,
  moved_by = CASE status WHEN 'due' THEN NULL WHEN 'sent' THEN sent_by ELSE closed_by END
 WHERE status NOT IN ('scheduled', 'paid');
-- It sorted by `taken_at`, also those that were sent since. Bills are taken on the day on which they are to be paid.
DROP INDEX bill_queue;
CREATE INDEX bill_queue ON bill (pay_on, id) WHERE status IN ('due', 'sent');
DROP INDEX bill_returned;
ALTER TABLE bill
  DROP COLUMN taken_at,
  DROP COLUMN sent_at,
  DROP COLUMN sent_by,
  DROP COLUMN closed_at,
  DROP COLUMN closed_by,
  ADD CONSTRAINT bill_moved CHECK ((status = 'scheduled') = (moved_at IS NULL)),
  ADD CONSTRAINT bill_left_bank CHECK (left_bank_on IS NULL OR ledger_transaction_id IS NOT NULL);
CREATE INDEX bill_returned ON bill (user_id, moved_at DESC) WHERE status = 'returned';
ALTER INDEX bill_paid_at RENAME TO bill_paid;
SELECT guard_facts('bill', ARRAY['status', 'rejection_reason', 'ledger_transaction_id',
  'transaction_reference', 'moved_at', 'moved_by', 'updated_at', 'left_bank_on', 'bank_reference']);

ALTER TABLE deposit
  DROP CONSTRAINT deposit_check1,
  DROP CONSTRAINT deposit_check2,
  DROP CONSTRAINT deposit_decider;
ALTER TABLE deposit RENAME COLUMN decided_at TO moved_at;
ALTER TABLE deposit RENAME COLUMN processed_by TO moved_by;
ALTER TABLE deposit RENAME CONSTRAINT deposit_processed_by_fkey TO deposit_moved_by_fkey;
ALTER TABLE deposit ADD CONSTRAINT deposit_moved CHECK (
  (status = 'pending') = (moved_at IS NULL) AND (moved_at IS NULL) = (moved_by IS NULL));
ALTER INDEX deposit_decided_at RENAME TO deposit_moved_at;

ALTER TABLE bank_account RENAME COLUMN decided_at TO moved_at;
ALTER TABLE bank_account RENAME COLUMN decided_by TO moved_by;
ALTER TABLE bank_account RENAME CONSTRAINT bank_account_decided_by_fkey TO bank_account_moved_by_fkey;
ALTER TABLE bank_account
  DROP CONSTRAINT bank_account_decided,
  DROP CONSTRAINT bank_account_decided_by,
  ADD CONSTRAINT bank_account_moved CHECK (
    (status = 'pending') = (moved_at IS NULL) AND (moved_at IS NULL) = (moved_by IS NULL));

-- Refuses a status that no act leads to, one by a person who may not do that act, and one in which the money of the
-- request is not where it belongs.
CREATE OR REPLACE FUNCTION thing_check_money() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  v_money text;
  v_actor text;
BEGIN
  SELECT money, actor INTO v_money, v_actor FROM public.thing_move
   WHERE thing = TG_TABLE_NAME AND to_status = NEW.status
     AND from_status = CASE TG_OP WHEN 'UPDATE' THEN OLD.status ELSE '' END;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'The % % cannot become %', TG_TABLE_NAME, NEW.id, NEW.status
      USING ERRCODE = 'check_violation', TABLE = TG_TABLE_NAME,
            CONSTRAINT = TG_TABLE_NAME || '_status_change';
  END IF;
  IF v_money IN ('none', 'credited') THEN
    PERFORM
      FROM public.wallet JOIN public.ledger_account AS account ON account.id = wallet.ledger_account_id
     WHERE wallet.id = NEW.wallet_id AND account.currency = NEW.currency
       AND (v_money = 'none' OR EXISTS (
             SELECT FROM public.ledger_transaction AS posting
               JOIN public.ledger_entry AS entry ON entry.transaction_id = posting.id
              WHERE posting.id = NEW.ledger_transaction_id AND posting.kind = TG_TABLE_NAME
                AND posting.subject_id = NEW.id AND posting.reference = NEW.reference
                AND entry.account_id = account.id AND entry.amount = NEW.amount_minor));
  ELSE
    PERFORM
      FROM public.ledger_hold AS hold, public.wallet, public.ledger_account AS account
     WHERE hold.id = NEW.hold_id AND wallet.id = NEW.wallet_id
       AND account.id = wallet.ledger_account_id AND account.currency = NEW.currency
       AND hold.account_id = account.id AND hold.amount = NEW.amount_minor
       AND hold.state = CASE v_money WHEN 'reversed' THEN 'captured' ELSE v_money END
       AND hold.transaction_id IS NOT DISTINCT FROM NEW.ledger_transaction_id
       AND (v_money <> 'reversed' OR EXISTS (
             SELECT FROM public.ledger_transaction WHERE reverses_id = NEW.ledger_transaction_id));
  END IF;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'The % % is not where its money is', TG_TABLE_NAME, NEW.id
      USING ERRCODE = 'check_violation', TABLE = TG_TABLE_NAME, CONSTRAINT = TG_TABLE_NAME || '_money';
  END IF;
  IF (CASE WHEN TG_OP = 'INSERT' OR v_actor = 'system' THEN NEW.moved_by IS NOT NULL
           WHEN v_actor = 'owner' THEN NEW.moved_by IS DISTINCT FROM NEW.user_id
           ELSE NEW.moved_by IS NULL OR NEW.moved_by = NEW.user_id END) THEN
    RAISE EXCEPTION 'The % % cannot become % by %', TG_TABLE_NAME, NEW.id, NEW.status, NEW.moved_by
      USING ERRCODE = 'check_violation', TABLE = TG_TABLE_NAME, CONSTRAINT = TG_TABLE_NAME || '_actor';
  END IF;
  RETURN NEW;
END $$;

-- The person of the last act alone is no other than the act says: writing them without a status is refused.
DO $$
DECLARE
  v_table text;
BEGIN
  FOREACH v_table IN ARRAY ARRAY['withdrawal', 'bill', 'deposit'] LOOP
    EXECUTE format('DROP TRIGGER %I ON %I', v_table || '_money', v_table);
    EXECUTE format(
      'CREATE TRIGGER %I BEFORE INSERT OR UPDATE OF status, ledger_transaction_id, moved_at, moved_by ON %I '
      'FOR EACH ROW EXECUTE FUNCTION thing_check_money()', v_table || '_money', v_table);
  END LOOP;
END $$;
