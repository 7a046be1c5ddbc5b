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
export interface Within {
  transactions: Condition;
  /** Accounts of people. */
  accounts: Condition;
  holds: Condition;
  withdrawals: Condition;
  deposits: Condition;
  bankAccounts: Condition;
  batches: Condition;
}

/** The scope as conditions for the checks. */
export function within(scope: Scope): Within {
  if (scope === 'whole') {
    const everything: Condition = () => sql`true`;
    return {
      transactions: everything,
      accounts: everything,
      holds: everything,
      withdrawals: everything,
      deposits: everything,
      bankAccounts: everything,
      batches: everything,
    };
  }
  return since(scope);
}

function since({ height, auditEventId }: Mark): Within {
  const transactions = sql`
    SELECT transaction_id FROM ledger_seal WHERE height > ${height}
    UNION ALL SELECT transaction_id FROM ledger_unsealed`;
  const recorded = (subjectType: string) => sql`
    SELECT subject_id FROM audit_event
     WHERE id > ${auditEventId} AND subject_type = ${subjectType}`;
  const postedAbout = (...kinds: string[]) => sql`
    SELECT subject_id FROM ledger_transaction
     WHERE id IN (${transactions}) AND kind IN (${sql.join(kinds)})`;
  const withdrawals = sql`
    ${recorded('withdrawal')} UNION ALL ${postedAbout('withdrawal', 'reversal')}`;
  const deposits = sql`${recorded('deposit')} UNION ALL ${postedAbout('deposit')}`;
  return {
    transactions: among(transactions),
    accounts: among(sql`
      SELECT account_id FROM ledger_entry WHERE transaction_id IN (${transactions})
      UNION ALL SELECT ledger_account_id FROM wallet JOIN withdrawal ON wallet_id = wallet.id
                 WHERE withdrawal.id IN (${withdrawals})`),
    // Those that are held are few, and one that nobody asked for withholds somebody's money.
    holds: among(sql`
      SELECT hold_id FROM withdrawal WHERE id IN (${withdrawals})
      UNION ALL SELECT id FROM ledger_hold WHERE transaction_id IN (${transactions})
      UNION ALL SELECT id FROM ledger_hold WHERE state = 'held'`),
    withdrawals: among(withdrawals),
    deposits: among(deposits),
    bankAccounts: among(sql`
      ${recorded('bank_account')}
      UNION ALL SELECT bank_account_id FROM withdrawal WHERE id IN (${withdrawals})`),
    batches: among(sql`
      ${recorded('payroll_batch')}
      UNION ALL SELECT batch_id FROM payroll_line WHERE id IN (${postedAbout('payroll')})
      UNION ALL SELECT id FROM payroll_batch WHERE status IN ('pending', 'processing')`),
  };
}

function among(ids: RawBuilder<unknown>): Condition {
  return (column) => sql`${sql.ref(column)} IN (${ids})`;
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
