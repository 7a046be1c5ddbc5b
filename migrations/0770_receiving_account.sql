-- The account that deposits are sent to, in the format of the company's currency: a sort code and an account number in pounds,
-- and in euros an IBAN in the place of the account number, without a routing number.

ALTER TABLE company_settings
  DROP CONSTRAINT company_settings_routing_number_check,
  ADD CONSTRAINT company_settings_receiving_routing_number
    CHECK (receiving_routing_number ~ '^(\d{9}|\d{6})$'),
  DROP CONSTRAINT company_settings_receiving_account_number_check,
  ADD CONSTRAINT company_settings_receiving_account_number
    CHECK (receiving_account_number ~ '^(\d{4,17}|[A-Z]{2}\d{2}[A-Z0-9]{11,29})$'),
  DROP CONSTRAINT company_settings_receiving_account,
  ADD CONSTRAINT company_settings_receiving_account
    CHECK (CASE WHEN receiving_routing_number IS NULL
                THEN coalesce(receiving_account_number ~ '^[A-Z]', true)
                ELSE receiving_account_number IS NOT NULL AND receiving_account_number ~ '^\d' END);
