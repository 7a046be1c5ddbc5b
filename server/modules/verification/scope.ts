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
  'ledger_transaction',
  'ledger_hold',
  'withdrawal',
  'deposit',
  'person_payment',
  'wallet_move',
  // Accounts of people, where money moved or is requested, or whose wallet was opened or closed.
  'ledger_account',
  'bill',
  'bank_account',
  'payroll_batch',
  'standing_bill',
  'transfer_plan',
  'kyc_application',
  'usual_pay_change',
  'recovery',
  'app_user',
  'payout_file',
  'payout_reversal',
  'return_file',
  'month_closing',
  // Items are of several tables; matches have their ids.
  'bank_statement',
  'bank_line',
  'bank_item',
] as const;

/** A scope as conditions, by the table whose ids they are. */
export interface Within extends Readonly<Record<ScopeName, Condition>> {
  /** For postings of these kinds: with few of them it costs little, however much else was posted. */
  readonly postings: (kinds: readonly string[]) => Condition;
}

/** Ids by a word, each as the text of an array. */
type IdsBy = ReadonlyMap<string, string>;

/**
 * The scope as conditions for the checks: what is new is looked up now. Part of the ledger is what was
 * posted or recorded after a block, and what that touches. It costs what is new, and overlooks a row
 * that was changed or put in without a posting and without an audit row; the whole finds that.
 */
export async function within(reader: Reader, scope: Scope): Promise<Within> {
  const { afterHeight } = scope;
  if (afterHeight === null) {
    const always: Condition = () => sql`true`;
    const all = Object.fromEntries(SCOPE_NAMES.map((name) => [name, always]));
    return { ...(all as Record<ScopeName, Condition>), postings: () => always };
  }
  const posted = await readPosted(reader, afterHeight);
  const touched = await touchedSince(reader, afterHeight, posted);
  const conditions = Object.fromEntries(
    SCOPE_NAMES.map((name) => [name, among(touched[name])]),
  ) as Record<ScopeName, Condition>;
  return { ...conditions, postings: (kinds) => among(joined(posted.ids, kinds)) };
}

/**
 * As an array, so that the planner knows how many there are: it would guess at a subquery, and a
 * guess that is too low makes nested loops of it.
 */
function among(ids: string): Condition {
  return (column) => sql`${sql.ref(column)} = ANY (${ids}::uuid[])`;
}

/** Ids of the new transactions, and of what they are about, by their kind; those that do not exist have none. */
async function readPosted(
  reader: Reader,
  afterHeight: bigint,
): Promise<{ ids: IdsBy; subjects: IdsBy }> {
  const { rows } = await sql<{ kind: string; ids: string; subjects: string }>`
    SELECT coalesce(kind, '') AS kind, array_agg(new.id)::text AS ids,
           coalesce(array_agg(subject_id) FILTER (WHERE subject_id IS NOT NULL), '{}')::text AS subjects
      FROM (${idsIn(TRANSACTIONS, afterHeight)}) AS new
      LEFT JOIN ledger_transaction AS one ON one.id = new.id
     GROUP BY 1`.execute(reader);
  return {
    ids: new Map(rows.map(({ kind, ids }) => [kind, ids])),
    subjects: new Map(rows.map(({ kind, subjects }) => [kind, subjects])),
  };
}

/** Ids of what the new audit events are about, by its type. */
async function readRecorded(reader: Reader, afterHeight: bigint): Promise<IdsBy> {
  const { rows } = await sql<{ subjectType: string; ids: string }>`
    SELECT subject_type, array_agg(DISTINCT subject_id)::text AS ids
      FROM (${idsIn(AUDIT_EVENTS, afterHeight)}) AS new
      JOIN audit_event AS event ON event.id = new.id
     WHERE subject_id IS NOT NULL GROUP BY subject_type`.execute(reader);
  return new Map(rows.map(({ subjectType, ids }) => [subjectType, ids]));
}

/** One array of the ids under those words. */
function joined(by: IdsBy, words: Iterable<string>): string {
  const parts = [...words].flatMap((word) => by.get(word)?.slice(1, -1) ?? []);
  return `{${parts.filter((part) => part !== '').join(',')}}`;
}

async function touchedSince(
  reader: Reader,
  afterHeight: bigint,
  { ids, subjects }: { ids: IdsBy; subjects: IdsBy },
): Promise<Touched> {
  const transactions = joined(ids, ids.keys());
  const records = await readRecorded(reader, afterHeight);
  const recorded = (subjectType: string) =>
    sql`SELECT unnest(${joined(records, [subjectType])}::uuid[]) AS subject_id`;
  const posted = (...kinds: string[]) =>
    sql`SELECT unnest(${joined(subjects, kinds)}::uuid[]) AS subject_id`;
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
                    ON record.subject_id = return_entry.id
          UNION SELECT entry.file_id FROM payout_file_item AS item
                  JOIN return_entry AS entry
                    ON entry.item_id = item.id AND entry.status = 'booked' AND entry.kind = 'return'
                 WHERE NOT item.is_live
                   AND (item.withdrawal_id = ANY (${withdrawals}::uuid[]) OR item.bill_id = ANY (${bills}::uuid[]))`,
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
