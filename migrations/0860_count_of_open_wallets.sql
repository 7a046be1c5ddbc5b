-- Number of open wallets, which Company Bank shows: an index of one value is small, and counted without the rows.
CREATE INDEX wallet_open ON wallet (closed_at) WHERE closed_at IS NULL;
