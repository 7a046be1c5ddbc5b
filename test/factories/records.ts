import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { AuditSubject } from '#contract/audit.ts';
import type { Db } from '#server/db/tx.ts';
import { bankAccountContentHash } from '#server/modules/bank-accounts/index.ts';
import { linesHash } from '#server/modules/payroll/index.ts';

interface Act {
  table:
    | 'app_user'
    | 'bank_account'
    | 'bill'
    | 'deposit'
    | 'kyc_application'
    | 'payee'
    | 'payroll_batch'
    | 'person_payment'
    | 'webhook_endpoint'
    | 'withdrawal';
  /** Subject type; the table's name if left out. */
  about?: AuditSubject;
  /** Column with the id of the person it concerns. */
  person?: 'id' | 'user_id';
  action: string;
  /** Column with the id of the actor, or SQL of it; null: the system. */
  actor: string | RawBuilder<unknown> | null;
  role: 'employee' | 'admin' | 'system';
  /** Facts by name, as SQL over the row. */
  details?: Readonly<Record<string, RawBuilder<unknown>>>;
  /** Further facts, as an object in SQL over the row. */
  further?: RawBuilder<unknown>;
  where?: RawBuilder<unknown>;
}

const column = (name: string) => sql.ref(name);
const hex = (name: string) => sql`encode(${column(name)}, 'hex')`;

/** SQL of an id, which may be none. */
function idIn(id: Act['actor'] = null): RawBuilder<unknown> {
  if (id === null) return sql`NULL::uuid`;
  return typeof id === 'string' ? column(id) : id;
}

/** An admin, where no row names the one who acted. */
const ANY_ADMIN = sql`(SELECT id FROM app_user WHERE role = 'admin' LIMIT 1)`;

/** Audit rows of a company, in the order of the events. */
function acts(): Act[] {
  const admin = { role: 'admin' as const };
  const user = { table: 'app_user' as const, person: 'id' as const };
  const bank = { table: 'bank_account' as const };
  const entered = {
    accountHash: hex('account_number_hash'),
    contentHash: bankAccountContentHash('bank_account'),
  };
  const withdrawal = { table: 'withdrawal' as const };
  const deposit = { table: 'deposit' as const };
  const bill = { table: 'bill' as const, where: sql`status = 'paid'` };
  const batch = { table: 'payroll_batch' as const, actor: 'created_by' };
  return [
    {
      ...user,
      about: 'user',
      action: 'user.created',
      actor: null,
      role: 'system',
      further: sql`(SELECT hashes FROM sign_in_state AS state WHERE state.id = app_user.id)`,
      where: sql`accepted_at IS NOT NULL`,
    },
    {
      ...user,
      about: 'invite',
      action: 'invite.redeemed',
      actor: 'id',
      role: 'employee',
      where: sql`role = 'admin'`,
    },
    {
      ...admin,
      table: 'kyc_application',
      person: 'user_id',
      action: 'kyc.approved',
      actor: 'decided_by',
      where: sql`status = 'approved'`,
    },
    {
      ...admin,
      table: 'webhook_endpoint',
      about: 'webhook',
      action: 'webhook.created',
      actor: 'created_by',
    },
    { ...bank, action: 'bank_account.added', actor: 'user_id', role: 'employee', details: entered },
    // Also those that wait or were rejected: their owners changed them later, and withdrew before.
    {
      ...bank,
      ...admin,
      action: 'bank_account.verified',
      actor: sql`coalesce(moved_by, ${ANY_ADMIN})`,
    },
    {
      ...withdrawal,
      action: 'withdrawal.requested',
      actor: 'user_id',
      role: 'employee',
      details: {
        reference: column('reference'),
        amountMinor: sql`amount_minor::text`,
        currency: column('currency'),
        walletId: column('wallet_id'),
        holdId: column('hold_id'),
        bankAccountId: column('bank_account_id'),
        last4: column('bank_last4'),
        urgency: column('urgency'),
      },
    },
    ...['approved', 'processing', 'completed'].map((step, index, steps) => ({
      ...withdrawal,
      ...admin,
      action: `withdrawal.${step}`,
      actor: 'moved_by',
      where: sql`status IN (${sql.join(steps.slice(index))})`,
    })),
    {
      ...withdrawal,
      ...admin,
      action: 'withdrawal.rejected',
      actor: 'moved_by',
      where: sql`status = 'rejected'`,
    },
    {
      ...withdrawal,
      action: 'withdrawal.cancelled',
      actor: 'moved_by',
      role: 'employee',
      where: sql`status = 'cancelled'`,
    },
    {
      ...bank,
      action: 'bank_account.updated',
      actor: 'user_id',
      role: 'employee',
      details: entered,
      where: sql`status <> 'verified'`,
    },
    {
      ...bank,
      ...admin,
      action: 'bank_account.rejected',
      actor: 'moved_by',
      where: sql`status = 'rejected'`,
    },
    {
      ...deposit,
      action: 'deposit.requested',
      actor: 'user_id',
      role: 'employee',
      details: {
        reference: column('reference'),
        method: column('method'),
        amountMinor: sql`amount_minor::text`,
        walletId: column('wallet_id'),
      },
    },
    {
      ...deposit,
      ...admin,
      action: 'deposit.approved',
      actor: 'moved_by',
      details: { transactionId: column('ledger_transaction_id') },
      where: sql`status = 'approved'`,
    },
    {
      ...deposit,
      ...admin,
      action: 'deposit.rejected',
      actor: 'moved_by',
      where: sql`status = 'rejected'`,
    },
    { table: 'payee', action: 'payee.added', actor: 'user_id', role: 'employee' },
    { ...bill, action: 'bill.scheduled', actor: 'user_id', role: 'employee' },
    { ...bill, action: 'bill.taken', actor: null, role: 'system' },
    ...['sent', 'paid'].map((step) => ({
      ...bill,
      ...admin,
      action: `bill.${step}`,
      actor: 'moved_by',
    })),
    { table: 'person_payment', action: 'person_payment.made', actor: 'payer_id', role: 'employee' },
    {
      ...batch,
      ...admin,
      action: 'payroll.sent',
      details: {
        number: column('number'),
        fundingType: column('funding_type'),
        amountMinor: sql`amount_minor::text`,
        previewHash: hex('preview_hash'),
        linesHash: sql`(SELECT ${linesHash('line')} FROM payroll_line AS line
                         WHERE line.batch_id = payroll_batch.id)`,
      },
    },
    {
      ...batch,
      actor: null,
      role: 'system',
      action: 'payroll.completed',
      details: {
        paid: column('paid_count'),
        failed: column('failed_count'),
        paidMinor: sql`paid_minor::text`,
      },
    },
  ];
}

/**
 * Records the events that rows written by SQL describe, so that the company verifies as sound. An event that is recorded already,
 * because an act made its row, is left as it is. A statement for each kind of event: 100,000 rows take seconds.
 */
export async function recordCompany(db: Db): Promise<void> {
  for (const act of acts()) {
    const { table, about = table, person, action, actor, role } = act;
    const { details = {}, further = sql`'{}'::jsonb`, where = sql`true` } = act;
    const pairs = Object.entries(details).flatMap(([name, fact]) => [sql.lit(name), fact]);
    await sql`
      INSERT INTO audit_event (actor_id, actor_role, action, subject_type, subject_id, person_id,
                               details)
      SELECT ${idIn(actor)}, ${role}, ${action}, ${about}, id, ${idIn(person)},
             jsonb_strip_nulls(jsonb_build_object(${sql.join(pairs)})) || ${further}
        FROM ${sql.table(table)}
       WHERE ${where}
         AND NOT EXISTS (SELECT FROM audit_event AS recorded
                          WHERE (recorded.subject_type, recorded.subject_id, recorded.action)
                              = (${about}, ${sql.ref(`${table}.id`)}, ${action}))`.execute(db);
  }
}
