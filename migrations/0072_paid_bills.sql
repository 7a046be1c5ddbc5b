-- What the company's dashboard sums by week: bills that were paid, as it does completed withdrawals.
CREATE INDEX bill_paid_at ON bill (paid_at) INCLUDE (amount_minor) WHERE status = 'paid';
