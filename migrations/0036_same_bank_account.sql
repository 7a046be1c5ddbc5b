-- The same bank account at another person: shown to the admin who verifies it. Removed ones count.

CREATE INDEX bank_account_number ON bank_account (account_number_hash);
