-- Legal changes of the status of a withdrawal, a bill and a deposit, each with the place of its money afterwards.
-- Three functions had them, apart from the acts that the contract declares. A test compares the rows with those
-- acts. The catalogue has these rows, so that a start and `npm run verify` notice one that was changed.
CREATE TABLE thing_move (
  thing       text NOT NULL,
  -- Empty for an act that makes the thing.
  from_status text NOT NULL,
  act         text NOT NULL,
  to_status   text NOT NULL,
  -- Held: the hold has its amount. Captured: a posting took the hold. Reversed: another gave it back. Released:
  -- nothing was posted and the hold is gone. Credited: a posting brought the amount in. None: nothing was posted.
  money       text NOT NULL CHECK (money IN ('held', 'captured', 'reversed', 'released', 'credited', 'none')),
  PRIMARY KEY (thing, from_status, to_status, act)
);

INSERT INTO thing_move (thing, from_status, act, to_status, money) VALUES
  ('withdrawal', '',           'request',          'pending',    'held'),
  ('withdrawal', '',           'requestForLeaver', 'pending',    'held'),
  ('withdrawal', 'pending',    'cancel',           'cancelled',  'released'),
  ('withdrawal', 'pending',    'approve',          'approved',   'held'),
  ('withdrawal', 'pending',    'reject',           'rejected',   'released'),
  ('withdrawal', 'approved',   'startProcessing',  'processing', 'held'),
  ('withdrawal', 'processing', 'complete',         'completed',  'captured'),
  ('withdrawal', 'approved',   'stop',             'rejected',   'released'),
  ('withdrawal', 'processing', 'stop',             'rejected',   'released'),
  ('withdrawal', 'completed',  'return',           'returned',   'reversed'),
  ('bill',       '',           'schedule',         'scheduled',  'held'),
  ('bill',       '',           'replace',          'scheduled',  'held'),
  ('bill',       '',           'scheduleFirst',    'scheduled',  'held'),
  ('bill',       'scheduled',  'change',           'cancelled',  'released'),
  ('bill',       'scheduled',  'cancel',           'cancelled',  'released'),
  ('bill',       'scheduled',  'take',             'due',        'held'),
  ('bill',       'due',        'send',             'sent',       'held'),
  ('bill',       'sent',       'complete',         'paid',       'captured'),
  ('bill',       'due',        'stop',             'rejected',   'released'),
  ('bill',       'sent',       'stop',             'rejected',   'released'),
  ('bill',       'paid',       'return',           'returned',   'reversed'),
  ('deposit',    '',           'request',          'pending',    'none'),
  ('deposit',    'pending',    'cancel',           'cancelled',  'none'),
  ('deposit',    'pending',    'approve',          'approved',   'credited'),
  ('deposit',    'pending',    'reject',           'rejected',   'none');

GRANT SELECT ON thing_move TO purser_app;
-- A migration that changes a move lifts these for that statement.
CREATE TRIGGER thing_move_facts BEFORE INSERT OR UPDATE ON thing_move
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_fact_change();
CREATE TRIGGER thing_move_rows BEFORE DELETE OR TRUNCATE ON thing_move
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_fact_change();

-- Refuses a status that no act leads to, and one in which the money of the request is not where it belongs.
CREATE FUNCTION thing_check_money() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  v_money text;
BEGIN
  SELECT money INTO v_money FROM public.thing_move
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
  RETURN NEW;
END $$;

DO $$
DECLARE
  v_table text;
BEGIN
  FOREACH v_table IN ARRAY ARRAY['withdrawal', 'bill', 'deposit'] LOOP
    EXECUTE format('DROP TRIGGER %I ON %I', v_table || '_money', v_table);
    EXECUTE format('DROP FUNCTION %I()', v_table || '_check_money');
    EXECUTE format(
      'CREATE TRIGGER %I BEFORE INSERT OR UPDATE OF status, ledger_transaction_id ON %I '
      'FOR EACH ROW EXECUTE FUNCTION thing_check_money()', v_table || '_money', v_table);
  END LOOP;
END $$;
