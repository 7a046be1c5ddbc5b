-- The minute's health checks ask about the ledger, too: whether sealing is up to date. Null where it
-- could not be judged, and in minutes before this.

-- What has passed is computed, and stands in the index of the key: both are made again.
ALTER TABLE health_check
  ADD COLUMN ledger boolean,
  DROP COLUMN passed;
ALTER TABLE health_check
  ADD COLUMN passed boolean NOT NULL GENERATED ALWAYS AS
    (database AND queue IS NOT FALSE AND mail IS NOT FALSE AND storage IS NOT FALSE
     AND ledger IS NOT FALSE) STORED;
ALTER TABLE health_check ADD PRIMARY KEY (at) INCLUDE (passed);
