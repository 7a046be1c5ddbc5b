-- The currency can be chosen until the first account is opened in it. Then it stays: accounts are sealed,
-- and what is asked for and paid names it.

-- Of a change of the currency and a wallet that is opened at the same time, one waits for the other.
CREATE FUNCTION lock_currency(p_is_shared boolean) RETURNS void LANGUAGE plpgsql
SET search_path = public, pg_temp AS $$
BEGIN
  -- Any number that no other advisory lock has.
  IF p_is_shared THEN PERFORM pg_advisory_xact_lock_shared(7067300083);
  ELSE PERFORM pg_advisory_xact_lock(7067300083);
  END IF;
END $$;

CREATE FUNCTION refuse_currency_change() RETURNS trigger LANGUAGE plpgsql
SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM lock_currency(false);
  IF EXISTS (SELECT FROM ledger_account) THEN
    RAISE EXCEPTION 'The currency stays: an account was opened in it'
      USING ERRCODE = 'insufficient_privilege';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER company_settings_currency BEFORE UPDATE OF currency ON company_settings
  FOR EACH ROW WHEN (NEW.currency <> OLD.currency) EXECUTE FUNCTION refuse_currency_change();

-- Whoever opens a wallet read the currency before. Where it was changed since, the transaction is
-- repeated (serialization_failure), and then reads the new one.
CREATE FUNCTION refuse_other_currency() RETURNS trigger LANGUAGE plpgsql
SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM lock_currency(true);
  IF EXISTS (SELECT FROM ledger_account, company_settings
              WHERE ledger_account.id = NEW.ledger_account_id
                AND ledger_account.currency <> company_settings.currency) THEN
    RAISE EXCEPTION 'The account is in another currency than the company'
      USING ERRCODE = 'serialization_failure';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER wallet_currency BEFORE INSERT ON wallet
  FOR EACH ROW EXECUTE FUNCTION refuse_other_currency();
REVOKE ALL ON FUNCTION lock_currency, refuse_currency_change, refuse_other_currency FROM PUBLIC;
GRANT EXECUTE ON FUNCTION lock_currency TO purser_app;

SELECT guard_facts('company_settings', ARRAY['company_name', 'time_zone', 'routing_number',
  'employee_number_prefix', 'require_approved_identity', 'admin_idle_minutes',
  'payroll_cancel_seconds', 'payroll_frequency', 'payroll_day', 'demo', 'updated_at',
  'kyc_min_age_years', 'kyc_retention_days', 'stop_payouts_when_unsound', 'payouts_stopped_at',
  'join_policy', 'join_domains', 'payroll_line_limit_minor', 'payroll_batch_limit_minor',
  'separate_payroll_minor', 'separate_bank_account_minor', 'separate_payout_minor',
  'separate_return_minor', 'payout_cooling_hours', 'support_email', 'mailing_address',
  'receiving_bank_name', 'receiving_bank_address', 'card_payment_page',
  'require_admin_two_factor', 'employee_idle_minutes', 'version', 'legal_name',
  'initial_email_enabled', 'initial_email_frequency', 'initial_deposit_alerts',
  'initial_withdrawal_updates', 'initial_verification_alerts', 'initial_security_alerts',
  'initial_info_notifications', 'initial_profile_updates', 'initial_kyc_updates', 'currency']);
