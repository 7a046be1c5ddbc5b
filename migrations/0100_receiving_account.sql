-- The company's own account, which deposits are sent to. Its routing number had a default that nobody
-- had entered, so a company that is not the demo keeps none.
ALTER TABLE company_settings RENAME COLUMN routing_number TO receiving_routing_number;
ALTER TABLE company_settings
  ALTER COLUMN receiving_routing_number DROP DEFAULT,
  ALTER COLUMN receiving_routing_number DROP NOT NULL,
  ADD COLUMN receiving_account_number text CHECK (receiving_account_number ~ '^\d{4,17}$');
UPDATE company_settings
   SET receiving_routing_number = CASE WHEN demo = 'none' THEN NULL ELSE receiving_routing_number END,
       receiving_account_number = CASE WHEN demo = 'none' THEN NULL ELSE '4400128865' END;
ALTER TABLE company_settings ADD CONSTRAINT company_settings_receiving_account
  CHECK ((receiving_routing_number IS NULL) = (receiving_account_number IS NULL));
-- It changes, so the trigger of guard_facts (0018), which names what stays, needs no change.
GRANT UPDATE (receiving_account_number) ON company_settings TO purser_app;

-- The guided set-up asks for it.
ALTER TABLE company_setup_step
  DROP CONSTRAINT company_setup_step_step_check,
  ADD CONSTRAINT company_setup_step_step_check
    CHECK (step IN ('company', 'time', 'payday', 'bank', 'joining', 'twoFactor', 'secondAdmin'));
