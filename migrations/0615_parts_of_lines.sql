-- Payments of a batch that the bank books as one line. A line whose parts all name an item is matched with each of them.
CREATE TABLE bank_line_part (
  line_id       uuid NOT NULL REFERENCES bank_line,
  -- 1, 2, ... as the file orders them.
  position      integer NOT NULL CHECK (position > 0),
  -- With the sign of the line. Null: the file does not say it in the account's currency.
  amount_minor  bigint,
  end_to_end_reference text,
  trace         text,
  text          text NOT NULL,
  counterparty  text,
  PRIMARY KEY (line_id, position)
);
GRANT SELECT, INSERT ON bank_line_part TO purser_app;
CREATE TRIGGER bank_line_part_facts BEFORE UPDATE OR DELETE OR TRUNCATE ON bank_line_part
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_fact_change();
