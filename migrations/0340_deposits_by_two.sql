-- The least amount, in minor units, of a deposit that one administrator confirms and another approves. Null: none.
ALTER TABLE company_settings
  ADD COLUMN separate_deposit_minor bigint CHECK (separate_deposit_minor >= 0);
GRANT UPDATE (separate_deposit_minor) ON company_settings TO purser_app;

ALTER TABLE duty_in_force
  DROP CONSTRAINT duty_in_force_duty_check,
  ADD CONSTRAINT duty_in_force_duty_check
    CHECK (duty IN ('payroll', 'deposit', 'bankAccount', 'payout', 'return'));
