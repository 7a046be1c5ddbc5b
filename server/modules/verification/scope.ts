import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { Reader } from '#server/db/tx.ts';
import { AUDIT_EVENTS, idsIn, TRANSACTIONS } from '#server/modules/ledger/index.ts';
import type { Scope } from '#server/modules/ledger/index.ts';

/** A condition on a column of ids. */
type Condition = (column: string) => RawBuilder<boolean>;

/** Ids of what is new and of what that touches, by table, each as the text of an array. */
type Touched = Readonly<Record<ScopeName, string>>;
export type ScopeName = (typeof SCOPE_NAMES)[number];
const SCOPE_NAMES = [
  ...[
    'ledger_transaction',
    'ledger_hold',
    'withdrawal',
    'deposit',
    'person_payment',
    'wallet_move',
  ],
  // Accounts of people, where money moved or is requested, or whose wallet was opened or closed.
  ...['ledger_account', 'bill', 'bank_account', 'payroll_batch'],
  ...[
    'standing_bill',
    'transfer_plan',
    'kyc_application',
    'usual_pay_change',
    'recovery',
    'app_user',
  ],
  ...['payout_file', 'payout_reversal', 'return_file', 'month_closing'],
  // Items are of several tables; matches have their ids.
  ...['bank_statement', 'bank_line', 'bank_item'],
] as const;

/** A scope as conditions, by the table whose ids they are. */
export type Within = Readonly<Record<ScopeName, Condition>>;

/**
 * The scope as conditions for the checks: what is new is looked up now. Part of the ledger is what was
 * posted or recorded after a block, and what that touches. It costs what is new, and overlooks a row
 * that was changed or put in without a posting and without an audit row; the whole finds that.
 */
export async function within(reader: Reader, scope: Scope): Promise<Within> {
  const { afterHeight } = scope;
  const touched = afterHeight === null ? null : await touchedSince(reader, afterHeight);
  // As arrays, so that the planner knows how many there are: it would guess at a subquery, and a
  // guess that is too low makes nested loops of it.
  const among = (name: ScopeName): Condition =>
    touched === null
      ? () => sql`true`
      : (column) => sql`${sql.ref(column)} = ANY (${touched[name]}::uuid[])`;
  return Object.fromEntries(SCOPE_NAMES.map((name) => [name, among(name)])) as Within;
}

async function touchedSince(reader: Reader, afterHeight: bigint): Promise<Touched> {
  const transactions = await idsOf(reader, idsIn(TRANSACTIONS, afterHeight));
  const recorded = (subjectType: string) => sql`
    SELECT subject_id FROM audit_event AS event
      JOIN (${idsIn(AUDIT_EVENTS, afterHeight)}) AS new ON new.id = event.id
     WHERE subject_type = ${subjectType}`;
  const posted = (...kinds: string[]) => sql`
    SELECT subject_id FROM ledger_transaction
     WHERE id = ANY (${transactions}::uuid[]) AND kind IN (${sql.join(kinds)})`;
  const withdrawals = await idsOf(
    reader,
    sql`${recorded('withdrawal')} UNION ${posted('withdrawal', 'reversal')}`,
  );
  const bills = await idsOf(reader, sql`${recorded('bill')} UNION ${posted('bill', 'reversal')}`);
  return {
    ledger_transaction: transactions,
    ledger_account: await idsOf(
      reader,
      sql`SELECT account_id FROM ledger_entry WHERE transaction_id = ANY (${transactions}::uuid[])
          UNION SELECT ledger_account_id FROM withdrawal JOIN wallet ON wallet.id = wallet_id
                 WHERE withdrawal.id = ANY (${withdrawals}::uuid[])
          UNION SELECT ledger_account_id FROM bill JOIN wallet ON wallet.id = wallet_id
                 WHERE bill.id = ANY (${bills}::uuid[])
          UNION SELECT ledger_account_id FROM wallet
                  JOIN (${recorded('wallet')}) AS record ON record.subject_id = wallet.id`,
    ),
    // Those that are held are few, and one that nobody asked for withholds a person's money.
    ledger_hold: await idsOf(
      reader,
      sql`SELECT hold_id FROM withdrawal WHERE id = ANY (${withdrawals}::uuid[])
          UNION SELECT hold_id FROM bill WHERE id = ANY (${bills}::uuid[])
          UNION SELECT id FROM ledger_hold WHERE transaction_id = ANY (${transactions}::uuid[])
          UNION SELECT id FROM ledger_hold WHERE state = 'held'`,
    ),
    withdrawal: withdrawals,
    bill: bills,
    deposit: await idsOf(reader, sql`${recorded('deposit')} UNION ${posted('deposit')}`),
    person_payment: await idsOf(
      reader,
      sql`${recorded('person_payment')} UNION ${posted('transfer')}`,
    ),
    wallet_move: await idsOf(reader, sql`${recorded('wallet_move')} UNION ${posted('move')}`),
    bank_account: await idsOf(
      reader,
      sql`${recorded('bank_account')}
          UNION SELECT bank_account_id FROM withdrawal WHERE id = ANY (${withdrawals}::uuid[])`,
    ),
    standing_bill: await idsOf(
      reader,
      sql`${recorded('standing_bill')}
          UNION SELECT standing_bill_id FROM bill WHERE id = ANY (${bills}::uuid[])`,
    ),
    transfer_plan: await idsOf(
      reader,
      sql`${recorded('transfer_plan')}
          UNION SELECT plan.id FROM transfer_plan AS plan
                  JOIN (${posted('move')}) AS posting ON true
                  JOIN wallet_move AS move ON move.id = posting.subject_id
                 WHERE move.payroll_line_id IS NOT NULL AND plan.wallet_id = move.from_wallet_id`,
    ),
    kyc_application: await idsOf(reader, recorded('kyc_application')),
    payout_file: await idsOf(reader, recorded('payout_file')),
    payout_reversal: await idsOf(reader, recorded('payout_reversal')),
    return_file: await idsOf(
      reader,
      sql`${recorded('return_file')}
          UNION SELECT file_id FROM return_entry JOIN (${recorded('return_entry')}) AS record
                    ON record.subject_id = return_entry.id`,
    ),
    month_closing: await idsOf(
      reader,
      sql`${recorded('month_closing')}
          UNION SELECT closing.id FROM month_closing AS closing
                  JOIN ledger_transaction AS posting
                    ON posting.effective_at >= closing.begins_at AND posting.effective_at < closing.ends_at
                 WHERE posting.id = ANY (${transactions}::uuid[])`,
    ),
    bank_statement: await idsOf(
      reader,
      sql`${recorded('bank_statement')}
          UNION SELECT statement_id FROM bank_line JOIN (${recorded('bank_line')}) AS record
                    ON record.subject_id = bank_line.id`,
    ),
    bank_line: await idsOf(
      reader,
      sql`${recorded('bank_line')}
          UNION SELECT id FROM bank_line WHERE statement_id IN (${recorded('bank_statement')})`,
    ),
    bank_item: await idsOf(
      reader,
      sql`SELECT item_id FROM bank_match JOIN (${recorded('bank_line')}) AS record
                    ON record.subject_id = bank_match.line_id`,
    ),
    usual_pay_change: await idsOf(reader, recorded('usual_pay_change')),
    recovery: await idsOf(
      reader,
      sql`${recorded('recovery')}
          UNION SELECT recovery_id FROM recovery_instalment AS instalment
                  JOIN (${posted('recovery')}) AS posting ON posting.subject_id = instalment.line_id`,
    ),
    app_user: await idsOf(reader, recorded('user')),
    payroll_batch: await idsOf(
      reader,
      sql`${recorded('payroll_batch')}
          UNION SELECT line.batch_id FROM payroll_line AS line
                  JOIN (${posted('payroll', 'funding', 'reversal', 'recovery')}) AS posting ON posting.subject_id = line.id
          UNION SELECT line.batch_id FROM payroll_line AS line
                  JOIN (${recorded('payroll_line')}) AS record ON record.subject_id = line.id
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
