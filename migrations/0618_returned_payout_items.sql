-- Payments of a payout file that came back, or whose file was cancelled: the page of payouts counts them.
CREATE INDEX payout_file_item_back ON payout_file_item (file_id) WHERE NOT is_live;
