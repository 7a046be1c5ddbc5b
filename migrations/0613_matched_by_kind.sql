-- What the lines of each statement are matched with, by kind: the sums of the company's position, which is read with every
-- screen of an administrator, without reading all matches. A statement has few kinds. Written by the trigger alone.
CREATE TABLE bank_match_total (
  statement_id uuid NOT NULL REFERENCES bank_statement,
  kind         text NOT NULL,
  minor        bigint NOT NULL,
  PRIMARY KEY (statement_id, kind)
);
GRANT SELECT ON bank_match_total TO purser_app;

CREATE FUNCTION bank_match_total_add() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = public, pg_temp AS $$
BEGIN
  INSERT INTO bank_match_total (statement_id, kind, minor)
  SELECT line.statement_id, added.kind, sum(added.amount_minor)
    FROM added JOIN bank_line AS line ON line.id = added.line_id
   WHERE added.undone_at IS NULL
   GROUP BY 1, 2 ORDER BY 1, 2
  ON CONFLICT (statement_id, kind) DO UPDATE SET minor = bank_match_total.minor + excluded.minor;
  RETURN NULL;
END $$;
CREATE TRIGGER bank_match_total_add AFTER INSERT ON bank_match
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION bank_match_total_add();

-- Taking a match back is the only change of one.
CREATE FUNCTION bank_match_total_take() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = public, pg_temp AS $$
BEGIN
  INSERT INTO bank_match_total (statement_id, kind, minor)
  SELECT line.statement_id, changed.kind, sum(changed.minor)
    FROM (SELECT line_id, kind, amount_minor AS minor FROM after_it WHERE undone_at IS NULL
           UNION ALL
          SELECT line_id, kind, -amount_minor FROM before_it WHERE undone_at IS NULL) AS changed
    JOIN bank_line AS line ON line.id = changed.line_id
   GROUP BY 1, 2 ORDER BY 1, 2
  ON CONFLICT (statement_id, kind) DO UPDATE SET minor = bank_match_total.minor + excluded.minor;
  RETURN NULL;
END $$;
CREATE TRIGGER bank_match_total_take AFTER UPDATE ON bank_match
  REFERENCING OLD TABLE AS before_it NEW TABLE AS after_it
  FOR EACH STATEMENT EXECUTE FUNCTION bank_match_total_take();

INSERT INTO bank_match_total (statement_id, kind, minor)
SELECT line.statement_id, match.kind, sum(match.amount_minor)
  FROM bank_match AS match JOIN bank_line AS line ON line.id = match.line_id
 WHERE match.undone_at IS NULL GROUP BY 1, 2;

CREATE INDEX bank_statement_newest ON bank_statement (imported_at, number, id);
