import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { Reader } from '#server/db/tx.ts';

/** How far an earlier run has seen. */
export interface Mark {
  /** The newest block of the ledger; 0 when there was none. */
  height: bigint;
  /** The newest audit row below which no other can still be committed. */
  auditEventId: bigint;
}

/**
 * What is compared: everything, or what has been posted or recorded since an earlier run, and what
 * that touches. The second costs what is new, and overlooks a row that was changed or put in without
 * a posting and without an audit row; the first finds it.
 */
export type Scope = 'whole' | Mark;

/** A condition on a column of ids. */
type Condition = (column: string) => RawBuilder<boolean>;

/** A scope as conditions, by what the ids are of. */
export type Within = Record<keyof Touched, Condition>;

/** Ids of what is new and of what that touches, each as the text of an array. */
interface Touched {
  transactions: string;
  /** Of people; where money moved or is requested. */
  accounts: string;
  holds: string;
  withdrawals: string;
  deposits: string;
  bankAccounts: string;
  batches: string;
}

/** The scope as conditions for the checks: what is new is looked up now. */
export async function within(reader: Reader, scope: Scope): Promise<Within> {
  const touched = scope === 'whole' ? null : await touchedSince(reader, scope);
  // As arrays, so that the planner knows how many there are: it would guess at a subquery, and a
  // guess that is too low makes nested loops of it.
  const among = (name: keyof Touched): Condition =>
    touched === null
      ? () => sql`true`
      : (column) => sql`${sql.ref(column)} = ANY (${touched[name]}::uuid[])`;
  return {
    transactions: among('transactions'),
    accounts: among('accounts'),
    holds: among('holds'),
    withdrawals: among('withdrawals'),
    deposits: among('deposits'),
    bankAccounts: among('bankAccounts'),
    batches: among('batches'),
  };
}

async function touchedSince(reader: Reader, { height, auditEventId }: Mark): Promise<Touched> {
  const transactions = await idsOf(
    reader,
    sql`SELECT transaction_id FROM ledger_seal WHERE height > ${height}
        UNION SELECT transaction_id FROM ledger_unsealed`,
  );
  const recorded = (subjectType: string) => sql`
    SELECT subject_id FROM audit_event
     WHERE id > ${auditEventId} AND subject_type = ${subjectType}`;
  const posted = (...kinds: string[]) => sql`
    SELECT subject_id FROM ledger_transaction
     WHERE id = ANY (${transactions}::uuid[]) AND kind IN (${sql.join(kinds)})`;
  const withdrawals = await idsOf(
    reader,
    sql`${recorded('withdrawal')} UNION ${posted('withdrawal', 'reversal')}`,
  );
  return {
    transactions,
    accounts: await idsOf(
      reader,
      sql`SELECT account_id FROM ledger_entry WHERE transaction_id = ANY (${transactions}::uuid[])
          UNION SELECT ledger_account_id FROM withdrawal JOIN wallet ON wallet.id = wallet_id
                 WHERE withdrawal.id = ANY (${withdrawals}::uuid[])`,
    ),
    // Those that are held are few, and one that nobody asked for withholds somebody's money.
    holds: await idsOf(
      reader,
      sql`SELECT hold_id FROM withdrawal WHERE id = ANY (${withdrawals}::uuid[])
          UNION SELECT id FROM ledger_hold WHERE transaction_id = ANY (${transactions}::uuid[])
          UNION SELECT id FROM ledger_hold WHERE state = 'held'`,
    ),
    withdrawals,
    deposits: await idsOf(reader, sql`${recorded('deposit')} UNION ${posted('deposit')}`),
    bankAccounts: await idsOf(
      reader,
      sql`${recorded('bank_account')}
          UNION SELECT bank_account_id FROM withdrawal WHERE id = ANY (${withdrawals}::uuid[])`,
    ),
    batches: await idsOf(
      reader,
      sql`${recorded('payroll_batch')}
          UNION SELECT line.batch_id FROM payroll_line AS line
                  JOIN (${posted('payroll')}) AS posting ON posting.subject_id = line.id
          UNION SELECT id FROM payroll_batch WHERE status IN ('pending', 'processing')`,
    ),
  };
}

/** The ids that a query of one column finds, as the text of an array. */
async function idsOf(reader: Reader, query: RawBuilder<unknown>): Promise<string> {
  const { rows } = await sql<{ ids: string }>`
    SELECT coalesce(array_agg(id), '{}')::text AS ids FROM (${query}) AS touched (id)
     WHERE id IS NOT NULL`.execute(reader);
  return rows[0]?.ids ?? '{}';
}

/** An audit row is written in the message of its COMMIT, so it is not invisible for longer. */
const COMMIT_MINUTES = 5;

/** The mark that a run in this snapshot leaves: the next one begins there. */
export async function readMark(reader: Reader): Promise<Mark> {
  const { rows } = await sql<Mark>`
    SELECT coalesce((SELECT max(height) FROM ledger_block), 0) AS height,
           coalesce((SELECT id FROM audit_event
                      WHERE at < clock_timestamp() - make_interval(mins => ${COMMIT_MINUTES})
                      ORDER BY id DESC LIMIT 1), 0) AS audit_event_id`.execute(reader);
  return rows[0] ?? { height: 0n, auditEventId: 0n };
}
