-- Number and sum of the lines of each statement without a match, which the dashboard and Company Bank show: read without
-- reading the lines. Written by the triggers alone.
CREATE TABLE bank_open_total (
  statement_id uuid PRIMARY KEY REFERENCES bank_statement,
  lines        integer NOT NULL CHECK (lines >= 0),
  minor        bigint NOT NULL
);
GRANT SELECT ON bank_open_total TO purser_app;

CREATE FUNCTION bank_open_total_add() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = public, pg_temp AS $$
BEGIN
  INSERT INTO bank_open_total (statement_id, lines, minor)
  SELECT statement_id, count(*) FILTER (WHERE matched_at IS NULL),
         coalesce(sum(amount_minor) FILTER (WHERE matched_at IS NULL), 0)
    FROM added GROUP BY 1 ORDER BY 1
  ON CONFLICT (statement_id) DO UPDATE
    SET lines = bank_open_total.lines + excluded.lines, minor = bank_open_total.minor + excluded.minor;
  RETURN NULL;
END $$;
CREATE TRIGGER bank_open_total_add AFTER INSERT ON bank_line
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION bank_open_total_add();

-- A line changes by its match alone. Its statement has a row since it was imported.
CREATE FUNCTION bank_open_total_move() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = public, pg_temp AS $$
BEGIN
  WITH moved AS MATERIALIZED (
    SELECT statement_id, sum(lines) AS lines, sum(minor) AS minor
      FROM (SELECT statement_id, 1 AS lines, amount_minor AS minor FROM after_it WHERE matched_at IS NULL
             UNION ALL
            SELECT statement_id, -1, -amount_minor FROM before_it WHERE matched_at IS NULL) AS line
     GROUP BY 1
  ), locked AS MATERIALIZED (
    SELECT statement_id FROM bank_open_total WHERE statement_id IN (SELECT statement_id FROM moved)
     ORDER BY 1 FOR NO KEY UPDATE
  )
  UPDATE bank_open_total AS total SET lines = total.lines + moved.lines, minor = total.minor + moved.minor
    FROM moved JOIN locked USING (statement_id)
   WHERE total.statement_id = moved.statement_id;
  RETURN NULL;
END $$;
CREATE TRIGGER bank_open_total_move AFTER UPDATE ON bank_line
  REFERENCING OLD TABLE AS before_it NEW TABLE AS after_it
  FOR EACH STATEMENT EXECUTE FUNCTION bank_open_total_move();

INSERT INTO bank_open_total (statement_id, lines, minor)
SELECT statement_id, count(*) FILTER (WHERE matched_at IS NULL),
       coalesce(sum(amount_minor) FILTER (WHERE matched_at IS NULL), 0)
  FROM bank_line GROUP BY 1;

-- The newest statement is that of the last day, whenever it was imported.
DROP INDEX bank_statement_newest;
CREATE INDEX bank_statement_newest ON bank_statement (to_day, imported_at, number, id);
