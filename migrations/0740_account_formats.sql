-- Accounts in euros and in pounds. A routing number of nine digits is a US account's, a sort code of six digits a British
-- one's, and an account without either has an IBAN where others have their account number, encrypted as these are. The last
-- four characters of an IBAN can be letters (Malta, Seychelles).

ALTER TABLE bank_account
  DROP CONSTRAINT bank_account_routing_number_check,
  ADD CONSTRAINT bank_account_routing_number CHECK (routing_number ~ '^(\d{9}|\d{6})?$'),
  ADD CONSTRAINT bank_account_last4
    CHECK (last4 ~ CASE routing_number WHEN '' THEN '^[0-9A-Z]{4}$' ELSE '^\d{4}$' END);

ALTER TABLE payee
  DROP CONSTRAINT payee_routing_number_check,
  ADD CONSTRAINT payee_routing_number CHECK (routing_number ~ '^(\d{9}|\d{6})?$'),
  ADD CONSTRAINT payee_last4
    CHECK (last4 ~ CASE routing_number WHEN '' THEN '^[0-9A-Z]{4}$' ELSE '^\d{4}$' END);

ALTER TABLE company_bank_account
  DROP CONSTRAINT company_bank_account_routing_number_check,
  ADD CONSTRAINT company_bank_account_routing_number CHECK (routing_number ~ '^(\d{9}|\d{6})$');

ALTER TABLE company_settings
  DROP CONSTRAINT company_settings_payout_routing_number_check,
  ADD CONSTRAINT company_settings_payout_routing_number CHECK (payout_routing_number ~ '^(\d{9}|\d{6})$'),
  DROP CONSTRAINT company_settings_payout_account_number_check,
  ADD CONSTRAINT company_settings_payout_account_number
    CHECK (payout_account_number ~ '^(\d{4,17}|[A-Z]{2}\d{2}[A-Z0-9]{11,29})$');
