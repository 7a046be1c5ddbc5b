-- Bills are found by an amount that was copied from a row.
CREATE INDEX bill_by_amount ON bill (amount_minor);
