import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { Db } from '#server/db/tx.ts';
import { bankAccountContentHash } from '#server/modules/bank-accounts/index.ts';
import { linesHash } from '#server/modules/payroll/index.ts';

interface Act {
  table: 'withdrawal' | 'deposit' | 'bank_account' | 'payroll_batch';
  action: string;
  /** Column with the id of the actor; null: the system. */
  actor: string | null;
  role: 'employee' | 'admin' | 'system';
  /** Facts by name, as SQL over the row. */
  details?: Readonly<Record<string, RawBuilder<unknown>>>;
  where?: RawBuilder<unknown>;
}

const column = (name: string) => sql.ref(name);
const hex = (name: string) => sql`encode(${column(name)}, 'hex')`;

/** Audit rows of the bulk company, in the order of the events. */
function acts(): Act[] {
  const admin = { role: 'admin' as const };
  const bank = { table: 'bank_account' as const };
  const entered = {
    accountHash: hex('account_number_hash'),
    contentHash: bankAccountContentHash('bank_account'),
  };
  const withdrawal = { table: 'withdrawal' as const };
  const deposit = { table: 'deposit' as const };
  const batch = { table: 'payroll_batch' as const, actor: 'created_by' };
  return [
    { ...bank, action: 'bank_account.added', actor: 'user_id', role: 'employee', details: entered },
    {
      ...{ ...bank, ...admin, action: 'bank_account.verified', actor: 'moved_by' },
      where: sql`status = 'verified'`,
    },
    {
      ...withdrawal,
      ...{ action: 'withdrawal.requested', actor: 'user_id', role: 'employee' },
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
      ...{ ...withdrawal, ...admin, action: `withdrawal.${step}`, actor: 'moved_by' },
      where: sql`status IN (${sql.join(steps.slice(index))})`,
    })),
    {
      ...{ ...withdrawal, ...admin, action: 'withdrawal.rejected', actor: 'moved_by' },
      where: sql`status = 'rejected'`,
    },
    {
      ...{ ...withdrawal, action: 'withdrawal.cancelled', actor: 'moved_by', role: 'employee' },
      where: sql`status = 'cancelled'`,
    },
    {
      ...{ ...bank, action: 'bank_account.updated', actor: 'user_id', role: 'employee' },
      details: entered,
      where: sql`status <> 'verified'`,
    },
    {
      ...{ ...bank, ...admin, action: 'bank_account.rejected', actor: 'moved_by' },
      where: sql`status = 'rejected'`,
    },
    {
      ...{ ...deposit, action: 'deposit.requested', actor: 'user_id', role: 'employee' },
      details: {
        reference: column('reference'),
        method: column('method'),
        amountMinor: sql`amount_minor::text`,
        walletId: column('wallet_id'),
      },
    },
    {
      ...{ ...deposit, ...admin, action: 'deposit.approved', actor: 'moved_by' },
      details: { transactionId: column('ledger_transaction_id') },
      where: sql`status = 'approved'`,
    },
    {
      ...{ ...batch, ...admin, action: 'payroll.sent' },
      details: {
        number: column('number'),
        amountMinor: sql`amount_minor::text`,
        previewHash: hex('preview_hash'),
        linesHash: sql`(SELECT ${linesHash('line')} FROM payroll_line AS line
                         WHERE line.batch_id = payroll_batch.id)`,
      },
    },
    {
      ...{ ...batch, actor: null, role: 'system', action: 'payroll.completed' },
      details: {
        paid: column('paid_count'),
        failed: column('failed_count'),
        paidMinor: sql`paid_minor::text`,
      },
    },
  ];
}

/** Records the events that the bulk company's rows describe. */
export async function recordCompany(db: Db): Promise<void> {
  for (const { table, action, actor, role, details = {}, where = sql`true` } of acts()) {
    const pairs = Object.entries(details).flatMap(([name, fact]) => [sql.lit(name), fact]);
    await sql`
      INSERT INTO audit_event (actor_id, actor_role, action, subject_type, subject_id, details)
      SELECT ${actor === null ? sql`NULL` : column(actor)}, ${role}, ${action}, ${table}, id,
             jsonb_build_object(${sql.join(pairs)})
        FROM ${sql.table(table)} WHERE ${where}`.execute(db);
  }
}
