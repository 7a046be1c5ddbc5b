-- Paydays: a biweekly schedule counts from a payday that the company chose, payroll twice a month names
-- its two days, and a payday that is no banking day moves to the one before it or after it.
ALTER TABLE company_settings
  ADD COLUMN payroll_first_payday date,
  ADD COLUMN payroll_days text NOT NULL DEFAULT '15_last' CHECK (payroll_days IN ('1_15', '15_last')),
  ADD COLUMN payday_moves text NOT NULL DEFAULT 'before' CHECK (payday_moves IN ('before', 'after'));

-- Every biweekly schedule counted from this Friday until now.
UPDATE company_settings SET payroll_first_payday = '2026-01-09' WHERE payroll_frequency = 'biweekly';

ALTER TABLE company_settings
  DROP CONSTRAINT company_settings_payroll_frequency_check,
  ADD CONSTRAINT company_settings_payroll_frequency_check
    CHECK (payroll_frequency IN ('weekly', 'biweekly', 'semimonthly', 'monthly')),
  ADD CONSTRAINT company_settings_biweekly_from
    CHECK (payroll_frequency <> 'biweekly' OR payroll_first_payday IS NOT NULL);
-- They change, so the trigger of guard_facts (0018), which names what stays, needs no change.
GRANT UPDATE (payroll_first_payday, payroll_days, payday_moves) ON company_settings TO purser_app;
