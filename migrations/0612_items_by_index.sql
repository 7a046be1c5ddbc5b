-- Items that a line of a bank could be are found by their reference, amount or time, each by an index.
CREATE INDEX withdrawal_bank_reference ON withdrawal (bank_reference) WHERE bank_reference IS NOT NULL;
CREATE INDEX bill_bank_reference ON bill (bank_reference) WHERE bank_reference IS NOT NULL;
CREATE INDEX withdrawal_returned ON withdrawal (moved_at) WHERE status = 'returned';
CREATE INDEX bill_returned_at ON bill (moved_at) WHERE status = 'returned';
CREATE INDEX payout_file_item_former_withdrawal ON payout_file_item (withdrawal_id)
 WHERE NOT is_live AND withdrawal_id IS NOT NULL;
CREATE INDEX payout_file_item_former_bill ON payout_file_item (bill_id) WHERE NOT is_live AND bill_id IS NOT NULL;
CREATE INDEX payroll_batch_by_amount ON payroll_batch ((paid_minor - reversed_minor)) WHERE paid_minor > reversed_minor;
CREATE INDEX payroll_batch_paid_at ON payroll_batch (coalesce(processed_at, started_at, created_at))
 WHERE paid_minor > reversed_minor;

-- Open lines in the order of the screen, by statement, and by amount, to see that two could be one item.
DROP INDEX bank_line_unmatched;
CREATE INDEX bank_line_unmatched ON bank_line (booked_on DESC, statement_id DESC, position DESC) WHERE matched_at IS NULL;
CREATE INDEX bank_line_unmatched_by_statement ON bank_line (statement_id) INCLUDE (account_id, amount_minor)
 WHERE matched_at IS NULL;
CREATE INDEX bank_line_unmatched_by_amount ON bank_line (amount_minor, booked_on) WHERE matched_at IS NULL;
