-- Lines of a closed month are refused for all lines of a statement of SQL together, so that a bank's statement of many lines
-- is imported without a call for each.
DROP TRIGGER bank_line_open ON bank_line;
CREATE OR REPLACE FUNCTION bank_line_refuse_closed() RETURNS trigger LANGUAGE plpgsql
SET search_path = public, pg_temp
AS $$
DECLARE
  v_line record;
BEGIN
  SELECT changed.id, changed.booked_on INTO v_line
    FROM changed CROSS JOIN ledger_calendar
   WHERE changed.booked_on::timestamp AT TIME ZONE time_zone < closed_until
   ORDER BY changed.booked_on, changed.id LIMIT 1;
  IF FOUND THEN
    RAISE EXCEPTION 'The month of line % is closed', v_line.id
      USING ERRCODE = 'PL015', DETAIL = to_char(v_line.booked_on, 'YYYY-MM');
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER bank_line_open AFTER INSERT ON bank_line
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION bank_line_refuse_closed();
CREATE TRIGGER bank_line_open_again AFTER UPDATE ON bank_line
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION bank_line_refuse_closed();
