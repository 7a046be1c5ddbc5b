-- The baseline, part 13: rights of the server's role, and the columns and rows that never change. Requests,
-- decisions and payments stay as they were written: a person who can act as the server cannot change an amount, an
-- owner or a destination afterwards, nor end a request otherwise than its money ended.

-- Rows -----------------------------------------------------------------------------------------------

-- Rows that the role reads, writes and deletes when they are done with.
GRANT SELECT, INSERT, UPDATE, DELETE ON auth_session, auth_account, auth_verification, auth_two_factor,
  auth_passkey, known_place, rate_limit, email_change, admin_invite, second_person_wait, calendar_feed,
  employee_import, employee_import_row, saved_view, health_check, audit_origin, idempotency_key, notification,
  email_digest, email_digest_item, mail_suppression, outbox, outbox_failed, webhook_delivery, kyc_file, kyc_claim
  TO purser_app;
-- Rows that stay, with columns that change.
GRANT SELECT, INSERT, UPDATE ON app_user, data_key, lookup_key, api_key, setting_change, security_proposal,
  company_setup, company_setup_step, email_preference, webhook_endpoint, kyc_application, kyc_action, kyc_document,
  kyc_profile, wallet, bank_account, withdrawal, deposit, deposit_image, payee, standing_bill, bill, question,
  payroll_batch, payroll_line
  TO purser_app;
GRANT SELECT, UPDATE ON company_settings TO purser_app;
GRANT SELECT, INSERT, DELETE ON avatar, duty_in_force, verification_run, kyc_note TO purser_app;
GRANT SELECT, INSERT ON name_correction, person_payment, wallet_move, payroll_reminder TO purser_app;
-- The ledger is written by its functions, numbers by their triggers, legal moves by migrations.
GRANT SELECT ON ledger_account, ledger_transaction, ledger_entry, ledger_hold, ledger_total, ledger_calendar,
  ledger_block, ledger_seal, ledger_account_seal, audit_seal, ledger_unsealed, ledger_account_unsealed,
  audit_unsealed, reference_number, thing_move, kyc_review_item TO purser_app;
-- The database gives the number and the time of an audit event.
GRANT SELECT, INSERT (actor_id, actor_role, action, subject_type, subject_id, person_id, details, request_id)
  ON audit_event TO purser_app;
GRANT USAGE ON SEQUENCE employee_number_seq, payroll_batch_number_seq, reference_number_seq TO purser_app;

-- Columns --------------------------------------------------------------------------------------------

-- Columns that change, of every table but the ledger and the audit trail, those of signing in, and rows that are
-- deleted when they are done with (outbox, rate_limit, audit_origin, health_check).
SELECT guard_facts(name, changing) FROM (VALUES
  ('app_user', ARRAY['email_verified', 'two_factor_enabled', 'role', 'is_also_employee', 'employee_number',
    'last_login_at', 'deactivated_at', 'updated_at', 'accepted_at', 'standing_reason', 'password_reset_at',
    'payouts_frozen_at', 'department', 'position', 'name', 'first_name', 'last_name', 'email', 'email_set_by']),
  ('known_place', ARRAY['last_seen_at']),
  ('email_change', ARRAY['confirmed_at', 'cancelled_at', 'reported_at']),
  ('admin_invite', ARRAY['redeemed_by', 'redeemed_at', 'revoked_by', 'revoked_at']),
  ('second_person_wait', ARRAY['until']),
  ('api_key', ARRAY['last_used_at', 'revoked_by', 'revoked_at']),
  ('calendar_feed', ARRAY['token_hash', 'payday_words', 'arrival_words', 'bill_words', 'has_arrivals', 'has_bills',
    'created_at', 'last_read_at']),
  ('data_key', ARRAY['master_key_id', 'wrapped_key', 'destroyed_at']),
  ('lookup_key', ARRAY['master_key_id', 'wrapped_secret']),
  ('employee_import', ARRAY['byte_count', 'status', 'version', 'header', 'full_name_column', 'last_name_column',
    'email_column', 'department_column', 'position_column', 'row_count', 'total_row_count', 'ready_count',
    'error_count', 'duplicate_count', 'imported_count', 'failed_count', 'done_through', 'confirmed_by',
    'confirmed_at', 'finished_at', 'updated_at']),
  ('employee_import_row', ARRAY['full_name', 'email', 'department', 'position', 'status', 'problems', 'user_id']),
  ('company_settings', ARRAY['company_name', 'currency', 'time_zone', 'receiving_routing_number',
    'receiving_account_number', 'employee_number_prefix', 'require_approved_identity', 'admin_idle_minutes',
    'employee_idle_minutes', 'payroll_cancel_seconds', 'payroll_frequency', 'payroll_day', 'payroll_first_payday',
    'payroll_days', 'payday_moves', 'demo', 'updated_at', 'kyc_min_age_years', 'kyc_retention_days',
    'stop_payouts_when_unsound', 'payouts_stopped_at', 'join_policy', 'join_domains', 'payroll_line_limit_minor',
    'payroll_batch_limit_minor', 'separate_payroll_minor', 'separate_bank_account_minor', 'separate_payout_minor',
    'separate_return_minor', 'payout_cooling_hours', 'support_email', 'mailing_address', 'receiving_bank_name',
    'receiving_bank_address', 'card_payment_page', 'require_admin_two_factor', 'version', 'legal_name',
    'initial_email_enabled', 'initial_email_frequency', 'initial_deposit_alerts', 'initial_withdrawal_updates',
    'initial_verification_alerts', 'initial_security_alerts', 'initial_info_notifications',
    'initial_profile_updates', 'initial_kyc_updates', 'offers_ach', 'offers_wire', 'offers_card',
    'offers_mobile_check', 'offers_physical_check', 'offers_secure_transfer', 'deposit_note']),
  ('setting_change', ARRAY['version', 'changed_by', 'changed_at']),
  ('security_proposal', ARRAY['outcome', 'decided_by', 'decided_at']),
  ('company_setup', ARRAY['outcome', 'ended_by', 'ended_at']),
  ('company_setup_step', ARRAY['outcome', 'decided_by', 'decided_at']),
  ('saved_view', ARRAY['name', 'deleted_at']),
  ('verification_run', ARRAY['finished_at', 'head_height', 'is_sound', 'problems']),
  ('idempotency_key', ARRAY['status', 'reply']),
  ('notification', ARRAY['read_at', 'deleted_at']),
  ('email_preference', ARRAY['email_enabled', 'deposit_alerts', 'withdrawal_updates', 'verification_alerts',
    'security_alerts', 'info_notifications', 'profile_updates', 'kyc_updates', 'email_frequency', 'updated_at']),
  ('email_digest', ARRAY['mailed_at']),
  ('email_digest_item', ARRAY['digest_id']),
  ('webhook_endpoint', ARRAY['secret_encrypted', 'secret_owner', 'secret_at', 'former_secret_encrypted',
    'former_secret_owner', 'former_secret_until', 'removed_by', 'removed_at']),
  ('webhook_delivery', ARRAY['status', 'attempts', 'next_attempt_at', 'last_attempt_at', 'reply_status', 'problem']),
  ('kyc_application', ARRAY['status', 'version', 'answers_encrypted', 'id_number_hash', 'phone_hash', 'address_hash',
    'hash_key_id', 'security_answer_hash', 'security_answer_key_id', 'answered', 'submitted_at', 'decided_by',
    'decided_at', 'destroyed_at', 'updated_at', 'unrecorded_fields']),
  ('kyc_action', ARRAY['words_encrypted']),
  ('kyc_file', ARRAY['state', 'state_since']),
  ('kyc_document', ARRAY['status', 'version', 'file_id', 'file_name_encrypted', 'original_hash', 'image_hash',
    'hash_key_id', 'reviewed_by', 'reviewed_at', 'replaced_at', 'destroyed_at', 'rejection_reason_encrypted']),
  ('kyc_profile', ARRAY['status', 'completion_percentage', 'review_status', 'submitted_at', 'verified_at',
    'rejected_at', 'updated_at']),
  ('kyc_claim', ARRAY['admin_id', 'claimed_at', 'expires_at']),
  ('wallet', ARRAY['closed_at']),
  ('bank_account', ARRAY['bank_name', 'account_type', 'account_number_encrypted', 'account_number_hash',
    'hash_key_id', 'last4', 'routing_number', 'holder_name', 'status', 'is_primary', 'rejection_reason', 'moved_by',
    'moved_at', 'use_count', 'submitted_at', 'updated_at', 'removed_at', 'returned_withdrawal_id', 'entered_by']),
  ('withdrawal', ARRAY['status', 'rejection_reason', 'ledger_transaction_id', 'transaction_reference', 'moved_at',
    'moved_by', 'updated_at', 'left_bank_on', 'bank_reference']),
  ('deposit', ARRAY['status', 'rejection_reason', 'ledger_transaction_id', 'moved_by', 'moved_at', 'updated_at']),
  ('deposit_image', ARRAY['file_id', 'file_name_encrypted', 'original_hash', 'image_hash', 'hash_key_id',
    'replaced_at', 'destroyed_at']),
  ('payee', ARRAY['removed_at', 'returned_bill_id']),
  ('standing_bill', ARRAY['payee_id', 'next_on', 'refusal', 'ended_at', 'ended_by', 'updated_at']),
  ('bill', ARRAY['status', 'rejection_reason', 'ledger_transaction_id', 'transaction_reference', 'moved_at',
    'moved_by', 'updated_at', 'left_bank_on', 'bank_reference']),
  ('question', ARRAY['answer', 'answered_by', 'answered_at']),
  ('payroll_batch', ARRAY['status', 'posted_through', 'paid_count', 'failed_count', 'paid_minor', 'started_at',
    'processed_at', 'mailed_at', 'updated_at', 'approved_by', 'approved_at', 'approved_alone', 'decline_reason',
    'post_after', 'discarded_at']),
  ('payroll_line', ARRAY['status', 'reason', 'ledger_transaction_id', 'processed_at'])
) AS guarded (name, changing);

-- Rows that stay for good, and tables of which no column changes.
DO $$
DECLARE
  v_table text;
BEGIN
  FOREACH v_table IN ARRAY ARRAY['app_user', 'api_key', 'data_key', 'lookup_key', 'company_settings',
    'setting_change', 'security_proposal', 'company_setup', 'company_setup_step', 'kyc_application', 'kyc_action',
    'kyc_document', 'kyc_profile', 'wallet', 'bank_account', 'withdrawal', 'deposit', 'deposit_image', 'payee',
    'standing_bill', 'bill', 'person_payment', 'wallet_move', 'question', 'payroll_batch', 'payroll_line',
    'reference_number', 'thing_move']
  LOOP
    EXECUTE format('CREATE TRIGGER %I BEFORE DELETE OR TRUNCATE ON %I FOR EACH STATEMENT '
                   'EXECUTE FUNCTION refuse_fact_change()', v_table || '_rows', v_table);
  END LOOP;
  -- mail_suppression has the right to UPDATE for the locks of the retention sweep alone.
  FOREACH v_table IN ARRAY ARRAY['avatar', 'mail_suppression', 'person_payment', 'wallet_move', 'reference_number']
  LOOP
    EXECUTE format('CREATE TRIGGER %I BEFORE UPDATE ON %I FOR EACH STATEMENT '
                   'EXECUTE FUNCTION refuse_fact_change()', v_table || '_facts', v_table);
  END LOOP;
END $$;
CREATE TRIGGER name_correction_rows BEFORE UPDATE OR DELETE OR TRUNCATE ON name_correction
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_fact_change();
-- A migration that changes a legal move lifts this for that statement.
CREATE TRIGGER thing_move_facts BEFORE INSERT OR UPDATE ON thing_move
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_fact_change();

-- Functions ------------------------------------------------------------------------------------------

REVOKE ALL ON FUNCTION
  refuse_fact_change, guard_facts, search_text, refresh_statistics, refuse_uncorrected_name,
  lock_currency, refuse_currency_change, refuse_other_currency, claim_request_number, claim_posting_number,
  ledger_door, ledger_check_zero_sum, ledger_refuse_write, ledger_capture_holds, ledger_post, ledger_hold_place,
  ledger_hold_release, ledger_account_open, ledger_account_ensure_system, ledger_set_time_zone,
  ledger_queue_account, audit_queue_event, ledger_block_append, ledger_block_hand_over
FROM PUBLIC;
GRANT EXECUTE ON FUNCTION
  search_text, refresh_statistics, lock_currency, ledger_post, ledger_hold_place, ledger_hold_release,
  ledger_account_open, ledger_account_ensure_system, ledger_set_time_zone, ledger_block_append,
  ledger_block_hand_over
TO purser_app;
