import { sql } from 'kysely';
import type { Db } from '#server/db/tx.ts';
import { LIMITS } from '#server/lib/limits.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const FAILED_JOBS_KEEP_MS = 30 * DAY_MS;

/** Retention time of an operational table. */
export type Retention =
  | {
      table: string;
      /** Column with the relevant time. */
      column: string;
      /** `epochMs` if the column is a number of milliseconds since 1970. */
      type: 'timestamp' | 'date' | 'epochMs';
      keepMs: number;
    }
  | { table: string; deletedBy: string };

/**
 * Every table with temporary rows. A table that is neither here nor in KEPT_FOR_GOOD fails a test,
 * so that no table grows unless a person has decided it.
 */
export const RETENTION: readonly Retention[] = [
  { table: 'idempotency_key', column: 'created_at', type: 'timestamp', keepMs: 48 * HOUR_MS },
  { table: 'outbox', deletedBy: 'the relay, in the transaction that hands the row on' },
  {
    table: 'outbox_failed',
    deletedBy: 'the relay once it is delivered, or the admin who discards it',
  },
  { table: 'auth_session', column: 'expires_at', type: 'timestamp', keepMs: 7 * DAY_MS },
  { table: 'auth_verification', column: 'expires_at', type: 'timestamp', keepMs: DAY_MS },
  // No link to it works by then.
  { table: 'email_change', column: 'requested_at', type: 'timestamp', keepMs: 30 * DAY_MS },
  // As long as a browser keeps the cookie.
  { table: 'known_place', column: 'last_seen_at', type: 'timestamp', keepMs: 400 * DAY_MS },
  { table: 'new_browser_sum', column: 'last_at', type: 'timestamp', keepMs: 8 * DAY_MS },
  { table: 'admin_invite', column: 'expires_at', type: 'timestamp', keepMs: 90 * DAY_MS },
  { table: 'second_person_wait', column: 'since', type: 'timestamp', keepMs: 31 * DAY_MS },
  // Only the present month and day are limited.
  { table: 'amount_used', column: 'since', type: 'date', keepMs: 62 * DAY_MS },
  { table: 'rate_limit', column: 'expire', type: 'epochMs', keepMs: HOUR_MS },
  { table: 'audit_origin', column: 'at', type: 'timestamp', keepMs: 365 * DAY_MS },
  // Two years: older facts are easier to find in a statement.
  { table: 'notification', column: 'created_at', type: 'timestamp', keepMs: 730 * DAY_MS },
  // Also deletes notifications that waited for a digest that was never made, because mail was
  // switched off.
  { table: 'email_digest_item', column: 'waiting_since', type: 'timestamp', keepMs: 60 * DAY_MS },
  // Only deleted ones, which can be restored for a day.
  { table: 'saved_view', column: 'deleted_at', type: 'timestamp', keepMs: DAY_MS },
  { table: 'email_digest', column: 'made_at', type: 'timestamp', keepMs: 60 * DAY_MS },
  // Then the address is tried once more.
  { table: 'mail_suppression', column: 'since', type: 'timestamp', keepMs: 365 * DAY_MS },
  { table: 'calendar_feed', deletedBy: 'its owner, who ends the address' },
  // With its rows, which have the names and addresses of people who may have never joined.
  { table: 'employee_import', column: 'created_at', type: 'timestamp', keepMs: 30 * DAY_MS },
  // With its changes, which are kept on their own once they are made.
  { table: 'usual_pay_import', column: 'created_at', type: 'timestamp', keepMs: 30 * DAY_MS },
  // Whoever then has a file with these headings says again which column is which.
  { table: 'file_columns', column: 'chosen_at', type: 'timestamp', keepMs: 730 * DAY_MS },
  { table: 'employee_import_row', deletedBy: 'the import that it is of' },
  { table: 'webhook_delivery', column: 'created_at', type: 'timestamp', keepMs: 30 * DAY_MS },
  { table: 'kyc_claim', column: 'expires_at', type: 'timestamp', keepMs: HOUR_MS },
  { table: 'kyc_file', deletedBy: 'the sweep that destroys the file' },
  { table: 'kyc_note', deletedBy: 'the sweep of identity material' },
  // A day longer than the uptime looks back.
  { table: 'health_check', column: 'at', type: 'timestamp', keepMs: 31 * DAY_MS },
  { table: 'verification_run', column: 'started_at', type: 'timestamp', keepMs: 365 * DAY_MS },
  { table: 'payroll_due_transfer', deletedBy: 'the run of the automatic transfers' },
  { table: 'ledger_unsealed', deletedBy: 'the sealer, as it seals' },
  { table: 'ledger_account_unsealed', deletedBy: 'the sealer, as it seals' },
  { table: 'audit_unsealed', deletedBy: 'the sealer, as it seals' },
];

/** The books, the audit trail, and the things that both are about. */
export const KEPT_FOR_GOOD: readonly string[] = [
  'app_user',
  'avatar',
  'name_correction',
  'auth_account',
  'auth_two_factor',
  'auth_passkey',
  'api_key',
  'webhook_endpoint',
  'company_settings',
  'audit_event',
  'data_key',
  'lookup_key',
  'ledger_account',
  'ledger_transaction',
  'ledger_entry',
  'ledger_hold',
  'ledger_total',
  'ledger_calendar',
  'ledger_block',
  'ledger_block_set_aside',
  'restore_drill',
  'ledger_seal',
  'ledger_account_seal',
  'audit_seal',
  'wallet',
  'bank_account',
  'withdrawal',
  'deposit',
  'deposit_image',
  'payroll_batch',
  'usual_pay_change',
  'usual_pay_line',
  'payroll_line',
  'payroll_reversal',
  'recovery',
  'recovery_instalment',
  'payroll_draft',
  'payroll_draft_person',
  'payroll_acknowledgement',
  'payroll_reminder',
  'person_payment',
  'wallet_move',
  'payee',
  'bill',
  'transfer_plan',
  'transfer_rule',
  'transfer_run',
  'automatic_transfer',
  'reference_number',
  'company_bank_account',
  'bank_start',
  'bank_statement',
  'bank_line',
  'bank_line_part',
  'bank_match',
  'bank_match_total',
  'bank_open_total',
  'bank_rule',
  'payout_counter',
  'payout_file',
  'payout_file_item',
  'micro_deposit_try',
  'payout_reversal',
  'return_file',
  'return_entry',
  'month_closing',
  'month_journal_line',
  'chart_account',
  'journal_export',
  'standing_bill',
  'email_preference',
  'question',
  'kyc_application',
  'kyc_action',
  'kyc_document',
  'kyc_profile',
  'purser_migration',
  'security_proposal',
  'setting_change',
  'company_setup',
  'company_setup_step',
  'duty_in_force',
  'thing_move',
];

/**
 * Deletes expired rows in chunks, each in its own transaction, so that no lock is held long however
 * many there are. Returns their number by table. Any process may run it at any time.
 */
export async function sweepRetention(db: Db, now: Date): Promise<Map<string, number>> {
  const deleted = new Map<string, number>();
  for (const entry of RETENTION) {
    if ('deletedBy' in entry) continue;
    const limitMs = now.getTime() - entry.keepMs;
    const limit = entry.type === 'epochMs' ? limitMs : new Date(limitMs);
    let total = 0;
    for (;;) {
      const count = await deleteChunk(db, entry.table, entry.column, limit);
      total += count;
      if (count < LIMITS.retention.chunkRows) break;
    }
    deleted.set(entry.table, total);
  }
  deleted.set('failed jobs', await deleteFailedJobs(db, now));
  return deleted;
}

/** Given-up jobs are kept for a month, so that the cause can be investigated. */
async function deleteFailedJobs(db: Db, now: Date): Promise<number> {
  const limit = new Date(now.getTime() - FAILED_JOBS_KEEP_MS);
  const { rows } = await sql`
    select from graphile_worker.complete_jobs(array(
      select id from graphile_worker.jobs
       where attempts >= max_attempts and locked_at is null and updated_at < ${limit}))`.execute(
    db,
  );
  return rows.length;
}

async function deleteChunk(
  db: Db,
  table: string,
  column: string,
  limit: Date | number,
): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from ${sql.table(table)} where ctid = any(array(
      select ctid from ${sql.table(table)}
       where ${sql.ref(column)} < ${limit}
       limit ${LIMITS.retention.chunkRows} for update skip locked))`.execute(db);
  return Number(numAffectedRows ?? 0n);
}
