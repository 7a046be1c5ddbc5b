import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestDb } from '#test/open-db.ts';
import type { TestDb } from '#test/open-db.ts';
import { openOwner } from '#test/unguarded.ts';
import type { OwnerDb } from '#test/unguarded.ts';

/**
 * Columns that some code in Purser updates, of every table. Columns not named here are written
 * once. A migration that adds a table or a column enters it here if it changes.
 */
const CHANGING: Readonly<Record<string, readonly string[]>> = {
  app_user: [
    ...['email_verified', 'role', 'employee_number', 'last_login_at', 'deactivated_at'],
    ...['updated_at', 'accepted_at', 'standing_reason', 'password_reset_at', 'payouts_frozen_at'],
    'two_factor_enabled',
    ...['department', 'position', 'name', 'first_name', 'last_name', 'email', 'email_set_by'],
    'is_also_employee',
  ],
  amount_used: ['amount_minor'],
  company_bank_account: ['label'],
  bank_line: ['matched_at', 'matched_by', 'match_reason'],
  bank_match: ['undone_at'],
  bank_rule: ['taken_count', 'removed_at'],
  month_closing: ['reopened_at', 'reopened_by', 'reopened_for'],
  chart_account: ['code', 'name', 'changed_by', 'changed_at'],
  auth_account: ['password', 'updated_at'],
  auth_two_factor: ['secret', 'backup_codes', 'verified_at', 'last_used_at'],
  auth_passkey: ['name', 'counter', 'last_used_at'],
  email_change: ['confirmed_at', 'cancelled_at', 'reported_at'],
  known_place: ['last_seen_at'],
  second_person_wait: ['since'],
  new_browser_sum: ['sum_minor', 'last_at'],
  admin_invite: ['redeemed_by', 'redeemed_at', 'revoked_by', 'revoked_at'],
  api_key: ['last_used_at', 'revoked_by', 'revoked_at'],
  webhook_endpoint: [
    ...['secret_encrypted', 'secret_owner', 'secret_at', 'former_secret_encrypted'],
    ...['former_secret_owner', 'former_secret_until', 'removed_by', 'removed_at'],
  ],
  webhook_delivery: [
    ...['status', 'attempts', 'next_attempt_at', 'last_attempt_at', 'reply_status', 'problem'],
  ],
  data_key: ['master_key_id', 'wrapped_key', 'destroyed_at'],
  lookup_key: ['master_key_id', 'wrapped_secret'],
  company_settings: [
    ...['company_name', 'time_zone', 'receiving_routing_number', 'receiving_account_number'],
    ...['employee_number_prefix', 'require_approved_identity', 'admin_idle_minutes'],
    ...['payroll_change_percent', 'recovery_percent'],
    ...['payroll_cancel_seconds', 'payroll_first_payday', 'payroll_days', 'payday_moves'],
    ...['payroll_frequency', 'payroll_day', 'demo', 'updated_at', 'kyc_min_age_years'],
    ...['kyc_retention_days', 'stop_payouts_when_unsound', 'payouts_stopped_at'],
    ...['join_policy', 'join_domains', 'payroll_line_limit_minor', 'payroll_batch_limit_minor'],
    ...['separate_payroll_minor', 'separate_bank_account_minor', 'separate_payout_minor'],
    ...[
      'separate_return_minor',
      'separate_deposit_minor',
      'separate_usual_pay_minor',
      'payout_cooling_hours',
      'second_person_hours',
      'version',
    ],
    ...['payout_format', 'payout_bank_name', 'payout_routing_number', 'payout_account_number'],
    ...['payout_company_id', 'payout_origin', 'payout_is_balanced', 'payout_line_end'],
    ...['payout_same_day_until', 'payout_same_day_most_minor', 'bank_account_proof'],
    ...['support_email', 'mailing_address', 'receiving_bank_name', 'receiving_bank_address'],
    'card_payment_page',
    ...['require_admin_two_factor', 'employee_idle_minutes', 'legal_name', 'currency'],
    ...['new_browser_limit_minor', 'payment_mail_above_minor', 'automatic_payout_below_minor'],
    ...['offers_ach', 'offers_wire', 'offers_card', 'offers_mobile_check'],
    ...['offers_physical_check', 'offers_secure_transfer', 'deposit_note'],
    ...['initial_email_enabled', 'initial_email_frequency', 'initial_deposit_alerts'],
    ...['initial_withdrawal_updates', 'initial_verification_alerts', 'initial_security_alerts'],
    ...['initial_info_notifications', 'initial_profile_updates', 'initial_kyc_updates'],
  ],
  employee_import: [
    ...[
      'byte_count',
      'status',
      'version',
      'header',
      'full_name_column',
      'last_name_column',
      'email_column',
    ],
    ...[
      'department_column',
      'position_column',
      'row_count',
      'total_row_count',
      'ready_count',
      'error_count',
    ],
    ...['duplicate_count', 'imported_count', 'failed_count', 'done_through', 'confirmed_by'],
    ...['confirmed_at', 'finished_at', 'updated_at'],
  ],
  employee_import_row: [
    ...['full_name', 'email', 'department', 'position', 'status', 'problems', 'user_id'],
  ],
  verification_run: ['finished_at', 'head_height', 'is_sound', 'problems'],
  idempotency_key: ['status', 'reply'],
  notification: ['read_at', 'deleted_at'],
  email_preference: [
    ...['email_enabled', 'deposit_alerts', 'withdrawal_updates', 'verification_alerts'],
    ...['security_alerts', 'info_notifications', 'profile_updates', 'kyc_updates'],
    ...['email_frequency', 'updated_at'],
  ],
  calendar_feed: [
    ...['token_hash', 'payday_words', 'arrival_words', 'bill_words', 'has_arrivals', 'has_bills'],
    ...['created_at', 'last_read_at'],
  ],
  saved_view: ['name', 'deleted_at'],
  email_digest: ['mailed_at'],
  email_digest_item: ['digest_id'],
  wallet: ['closed_at'],
  question: ['answer', 'answered_by', 'answered_at'],
  bank_account: [
    ...['bank_name', 'account_type', 'account_number_encrypted', 'account_number_hash'],
    ...['hash_key_id', 'last4', 'routing_number', 'holder_name', 'status', 'is_primary'],
    ...['rejection_reason', 'moved_by', 'moved_at', 'use_count', 'submitted_at', 'updated_at'],
    ...['removed_at', 'entered_by', 'returned_withdrawal_id'],
  ],
  withdrawal: [
    ...['status', 'rejection_reason', 'ledger_transaction_id', 'transaction_reference'],
    ...['moved_at', 'moved_by', 'updated_at', 'left_bank_on', 'bank_reference', 'settlement_id'],
  ],
  deposit: [
    ...['status', 'rejection_reason', 'ledger_transaction_id', 'moved_by', 'moved_at'],
    'updated_at',
  ],
  deposit_image: [
    ...['file_id', 'file_name_encrypted', 'original_hash', 'image_hash', 'hash_key_id'],
    ...['replaced_at', 'destroyed_at'],
  ],
  payroll_batch: [
    ...['status', 'posted_through', 'paid_count', 'failed_count', 'paid_minor', 'started_at'],
    ...['processed_at', 'mailed_at', 'unmailed_after', 'updated_at', 'approved_by', 'approved_at'],
    ...['decline_reason', 'approved_alone', 'post_after', 'discarded_at'],
    ...['reversed_count', 'reversed_minor'],
  ],
  payroll_line: [
    ...['status', 'reason', 'ledger_transaction_id', 'processed_at', 'reversed_minor', 'paid_by'],
  ],
  payroll_draft: [
    ...['status', 'name', 'wallet_type', 'department', 'pay_on', 'description', 'has_own_amounts'],
    ...['amount_minor', 'started_from', 'note', 'version', 'changed_by', 'updated_at'],
    ...['sent_batch_id', 'amounts_by'],
  ],
  payroll_draft_person: ['amount_minor', 'version', 'breakdown'],
  kyc_application: [
    ...['status', 'version', 'answers_encrypted', 'id_number_hash', 'phone_hash', 'address_hash'],
    ...['hash_key_id', 'security_answer_hash', 'security_answer_key_id', 'answered'],
    ...['submitted_at', 'decided_by', 'decided_at', 'destroyed_at', 'updated_at'],
    'unrecorded_fields',
  ],
  kyc_action: ['words_encrypted'],
  kyc_file: ['state', 'state_since'],
  kyc_document: [
    ...['status', 'version', 'file_id', 'file_name_encrypted', 'original_hash', 'image_hash'],
    ...['hash_key_id', 'reviewed_by', 'reviewed_at', 'replaced_at', 'destroyed_at'],
    'rejection_reason_encrypted',
  ],
  kyc_profile: [
    ...['status', 'completion_percentage', 'review_status', 'submitted_at', 'verified_at'],
    ...['rejected_at', 'updated_at'],
  ],
  usual_pay_change: ['status', 'rejection_reason', 'moved_by', 'moved_at', 'updated_at'],
  usual_pay_line: ['counts'],
  recovery: [
    ...['status', 'recovered_minor', 'rejection_reason', 'moved_by', 'moved_at', 'updated_at'],
  ],
  recovery_instalment: ['given_back_transaction_id'],
  file_columns: ['mapping', 'chosen_by', 'chosen_at'],
  usual_pay_import: ['status', 'sent_by', 'sent_at', 'taken_by', 'taken_at'],
  security_proposal: ['outcome', 'decided_by', 'decided_at'],
  setting_change: ['version', 'changed_by', 'changed_at'],
  company_setup: ['outcome', 'ended_by', 'ended_at'],
  company_setup_step: ['outcome', 'decided_by', 'decided_at'],
  payee: ['removed_at', 'returned_bill_id'],
  transfer_plan: [
    ...['version', 'rule_count', 'paused_at', 'skips_next', 'new_browser_until'],
    ...['changed_at', 'updated_at'],
  ],
  standing_bill: ['payee_id', 'next_on', 'refusal', 'ended_at', 'ended_by', 'updated_at'],
  bill: [
    ...['status', 'rejection_reason', 'ledger_transaction_id', 'transaction_reference'],
    ...['moved_at', 'moved_by', 'updated_at', 'left_bank_on', 'bank_reference', 'settlement_id'],
  ],
  payout_counter: ['file_number', 'trace'],
  payout_file: [
    ...['status', 'moved_at', 'moved_by', 'updated_at', 'download_reason', 'left_bank_on'],
    ...['bank_reference', 'sent_at', 'unposted_after'],
  ],
  payout_file_item: [
    ...['is_live', 'ledger_transaction_id', 'settlement_id', 'refused_why', 'refused_at'],
  ],
  payout_reversal: ['status', 'moved_at', 'moved_by', 'updated_at'],
  return_entry: [
    ...['status', 'cause', 'item_id', 'transaction_id', 'moved_at', 'moved_by'],
    ...['refused_why', 'refused_at'],
  ],
  payroll_due_transfer: ['attempts'],
  kyc_claim: ['admin_id', 'claimed_at', 'expires_at'],
};

/** Tables of sign-in, and tables whose rows are deleted after use. */
const NOT_GUARDED = [
  ...['auth_session', 'auth_verification', 'rate_limit', 'outbox', 'audit_origin'],
  ...['health_check', 'outbox_failed'],
];

/** Tables without updates: the books and the record only get new rows. */
const STAYING = [
  ...['audit_event', 'kyc_note', 'purser_migration', 'ledger_account', 'ledger_transaction'],
  ...['ledger_entry', 'ledger_hold', 'ledger_total', 'ledger_calendar', 'ledger_block'],
  ...['ledger_block_set_aside', 'restore_drill'],
  ...['ledger_seal', 'ledger_unsealed', 'ledger_account_seal', 'ledger_account_unsealed'],
  ...['audit_seal', 'audit_unsealed', 'person_payment', 'wallet_move', 'thing_move'],
  ...[
    'mail_suppression',
    'avatar',
    'payroll_reminder',
    'payroll_reversal',
    'payroll_acknowledgement',
    'bank_start',
    'bank_statement',
    'bank_match_total',
    'bank_open_total',
    'bank_line_part',
    'return_file',
    'micro_deposit_try',
    'month_journal_line',
    'journal_export',
    'transfer_rule',
    'transfer_run',
    'automatic_transfer',
    'reference_number',
    'duty_in_force',
    'name_correction',
  ],
];

/** Tables whose rows stay for good. */
const KEPT = [
  ...['app_user', 'company_settings', 'wallet', 'bank_account', 'withdrawal', 'deposit'],
  ...[
    'deposit_image',
    'person_payment',
    'wallet_move',
    'payee',
    'bill',
    'payout_counter',
    'payout_file',
    'payout_file_item',
    'micro_deposit_try',
    'payout_reversal',
    'return_file',
    'return_entry',
    'standing_bill',
    'api_key',
    'question',
  ],
  ...['usual_pay_change', 'usual_pay_line'],
  ...['recovery', 'recovery_instalment'],
  ...['transfer_plan', 'transfer_rule', 'transfer_run', 'automatic_transfer'],
  ...[
    'payroll_batch',
    'payroll_line',
    'payroll_reversal',
    'bank_start',
    'bank_statement',
    'bank_line_part',
    'month_closing',
    'month_journal_line',
    'journal_export',
    'kyc_application',
    'kyc_action',
    'kyc_document',
  ],
  ...['kyc_profile', 'security_proposal', 'data_key', 'lookup_key', 'setting_change'],
  ...['company_setup', 'company_setup_step', 'reference_number', 'name_correction', 'thing_move'],
];

const INSUFFICIENT_PRIVILEGE = { code: '42501' };

let database: TestDb;
let owner: OwnerDb;
beforeAll(async () => {
  database = await openTestDb();
  owner = openOwner(database.ownerUrl);
});
afterAll(async () => {
  await owner.close();
  await database.close();
});

async function columnsOf(table: string): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    SELECT attname AS name FROM pg_attribute
     WHERE attrelid = ${table}::regclass AND attnum > 0 AND NOT attisdropped
       AND attgenerated = '' AND attidentity = ''`.execute(database.db);
  return rows.map(({ name }) => name);
}

/** Sets the column of no row, because the check looks at the statement. */
const update = (table: string, column: string) =>
  sql`UPDATE ${sql.table(table)} SET ${sql.ref(column)} = ${sql.ref(column)} WHERE false`;

test('every table is named once', async () => {
  const { rows } = await sql<{ name: string }>`
    SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' ORDER BY 1`.execute(
    database.db,
  );
  const named = [...Object.keys(CHANGING), ...NOT_GUARDED, ...STAYING];
  expect(named.toSorted()).toEqual(rows.map(({ name }) => name).toSorted());
});

describe.each(Object.entries(CHANGING))('%s', (table, changing) => {
  test('lets the server’s role update the columns that change, and nothing else', async () => {
    const columns = await columnsOf(table);
    expect(columns).toEqual(expect.arrayContaining([...changing]));
    for (const column of columns) {
      const asked = update(table, column).execute(database.db);
      if (changing.includes(column)) await asked;
      else await expect(asked, column).rejects.toMatchObject(INSUFFICIENT_PRIVILEGE);
    }
  });

  test('refuses the same to the owner, where there is no other role', async () => {
    for (const column of await columnsOf(table)) {
      const asked = update(table, column).execute(owner.db);
      if (changing.includes(column)) await asked;
      else await expect(asked, column).rejects.toMatchObject(INSUFFICIENT_PRIVILEGE);
    }
  });
});

test.each(STAYING)('%s lets the server’s role update nothing', async (table) => {
  for (const column of await columnsOf(table)) {
    await expect(update(table, column).execute(database.db), column).rejects.toMatchObject(
      INSUFFICIENT_PRIVILEGE,
    );
  }
});

test.each(KEPT)('%s keeps its rows, whoever asks', async (table) => {
  for (const { db } of [database, owner]) {
    for (const verb of ['DELETE FROM', 'TRUNCATE']) {
      const asked = sql`${sql.raw(verb)} ${sql.table(table)} ${sql.raw(verb === 'TRUNCATE' ? 'CASCADE' : '')}`;
      await expect(asked.execute(db), verb).rejects.toMatchObject(INSUFFICIENT_PRIVILEGE);
    }
  }
});
