import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { Reader } from '#server/db/tx.ts';
import { AUDIT_EVENTS, idsIn, TRANSACTIONS } from '#server/modules/ledger/index.ts';
import type { Scope } from '#server/modules/ledger/index.ts';

/** A condition on a column of ids. */
type Condition = (column: string) => RawBuilder<boolean>;

/**
 * Ids, of which so many are listed in statements. More are found again by each statement that needs them: a million as text
 * were 37 MB in each, and a verification after a payroll of a million people took 400 MB of the server.
 */
const MOST_LISTED = 50_000;

/** Ids of some rows. */
interface Ids {
  /** Text of an array; null if there are too many to be listed. */
  readonly list: string | null;
  /** SQL of a query that finds them, of one column. */
  readonly query: RawBuilder<unknown>;
}

/** Ids of what is new and of what that touches, by table. */
type Touched = Readonly<Record<ScopeName, Ids>>;
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

/** Ids of the rows that have one of those words; of all without them. */
type IdsBy = (words?: readonly string[]) => Ids;

/**
 * The scope as conditions for the checks: what is new is looked up now. Part of the ledger is what was
 * posted or recorded after a block, and what that touches. It costs what is new, and overlooks a row
 * that was changed or put in without a posting and without an audit row; the whole finds that.
 *
 * @param most maximum number of ids in a list
 */
export async function within(
  reader: Reader,
  scope: Scope,
  most: number = MOST_LISTED,
): Promise<Within> {
  const { afterHeight } = scope;
  if (afterHeight === null) {
    const always: Condition = () => sql`true`;
    const all = Object.fromEntries(SCOPE_NAMES.map((name) => [name, always]));
    return { ...(all as Record<ScopeName, Condition>), postings: () => always };
  }
  const since = { reader, most, afterHeight };
  const posted = await readPosted(since);
  const touched = await touchedSince(since, posted);
  const conditions = Object.fromEntries(
    SCOPE_NAMES.map((name) => [name, among(touched[name])]),
  ) as Record<ScopeName, Condition>;
  return { ...conditions, postings: (kinds) => among(posted.ids(kinds)) };
}

/** Scope of what is new, and how it is read. */
interface Since {
  reader: Reader;
  most: number;
  afterHeight: bigint;
}

/**
 * A list is an array, so that the planner knows how many there are: it would guess at a subquery, and a
 * guess that is too low makes nested loops of it.
 */
function among({ list, query }: Ids): Condition {
  return (column) =>
    list === null
      ? sql`${sql.ref(column)} IN (${query})`
      : sql`${sql.ref(column)} = ANY (${list}::uuid[])`;
}

/** SQL of a query of the ids, of one column. */
function select({ list, query }: Ids): RawBuilder<unknown> {
  return list === null ? query : sql`SELECT unnest(${list}::uuid[])`;
}

interface Posted {
  ids: IdsBy;
  subjects: IdsBy;
}

/** Ids of the new transactions, and of what they are about, by their kind; those that do not exist have none. */
async function readPosted(since: Since): Promise<Posted> {
  const from = sql`(${idsIn(TRANSACTIONS, since.afterHeight)}) AS new
    LEFT JOIN ledger_transaction AS one ON one.id = new.id`;
  const word = sql`coalesce(one.kind, '')`;
  return {
    ids: await idsBy(since, sql`SELECT ${word}, new.id FROM ${from}`),
    subjects: await idsBy(since, sql`SELECT ${word}, one.subject_id FROM ${from}`),
  };
}

/** Ids of what the new audit events are about, by its type. */
function readRecorded(since: Since): Promise<IdsBy> {
  return idsBy(
    since,
    sql`SELECT DISTINCT event.subject_type, event.subject_id
          FROM (${idsIn(AUDIT_EVENTS, since.afterHeight)}) AS new
          JOIN audit_event AS event ON event.id = new.id`,
  );
}

/** The ids that a query finds, by the word that it finds with each. */
async function idsBy({ reader, most }: Since, query: RawBuilder<unknown>): Promise<IdsBy> {
  const from = sql`(${query}) AS found (word, id) WHERE id IS NOT NULL`;
  const { rows } = await sql<{ word: string; count: bigint; list: string | null }>`
    SELECT word, count(*) AS count, CASE WHEN count(*) <= ${most} THEN array_agg(id)::text END AS list
      FROM ${from} GROUP BY word`.execute(reader);
  return (words) => {
    const found = rows.filter(({ word }) => words?.includes(word) !== false);
    const count = found.reduce((sum, one) => sum + Number(one.count), 0);
    const lists = found.map(({ list }) => list?.slice(1, -1) ?? '');
    const has = words === undefined ? sql`true` : sql`word = ANY (${words})`;
    return {
      list: count > most ? null : `{${lists.join(',')}}`,
      query: sql`SELECT id FROM ${from} AND ${has}`,
    };
  };
}

async function touchedSince(since: Since, { ids, subjects }: Posted): Promise<Touched> {
  const transactions = ids();
  const records = await readRecorded(since);
  const recorded = (subjectType: string) => named(select(records([subjectType])));
  const posted = (...kinds: string[]) => named(select(subjects(kinds)));
  const withdrawals = await idsOf(
    since,
    sql`${recorded('withdrawal')} UNION ${posted('withdrawal', 'reversal')}`,
  );
  const bills = await idsOf(since, sql`${recorded('bill')} UNION ${posted('bill', 'reversal')}`);
  return {
    ledger_transaction: transactions,
    ledger_account: await idsOf(
      since,
      sql`SELECT account_id FROM ledger_entry WHERE ${among(transactions)('transaction_id')}
          UNION SELECT ledger_account_id FROM withdrawal JOIN wallet ON wallet.id = wallet_id
                 WHERE ${among(withdrawals)('withdrawal.id')}
          UNION SELECT ledger_account_id FROM bill JOIN wallet ON wallet.id = wallet_id
                 WHERE ${among(bills)('bill.id')}
          UNION SELECT ledger_account_id FROM wallet
                  JOIN (${recorded('wallet')}) AS record ON record.subject_id = wallet.id`,
    ),
    // Those that are held are few, and one that nobody asked for withholds a person's money.
    ledger_hold: await idsOf(
      since,
      sql`SELECT hold_id FROM withdrawal WHERE ${among(withdrawals)('id')}
          UNION SELECT hold_id FROM bill WHERE ${among(bills)('id')}
          UNION SELECT id FROM ledger_hold WHERE ${among(transactions)('transaction_id')}
          UNION SELECT id FROM ledger_hold WHERE state = 'held'`,
    ),
    withdrawal: withdrawals,
    bill: bills,
    deposit: await idsOf(since, sql`${recorded('deposit')} UNION ${posted('deposit')}`),
    person_payment: await idsOf(
      since,
      sql`${recorded('person_payment')} UNION ${posted('transfer')}`,
    ),
    wallet_move: await idsOf(since, sql`${recorded('wallet_move')} UNION ${posted('move')}`),
    bank_account: await idsOf(
      since,
      sql`${recorded('bank_account')}
          UNION SELECT bank_account_id FROM withdrawal WHERE ${among(withdrawals)('id')}`,
    ),
    standing_bill: await idsOf(
      since,
      sql`${recorded('standing_bill')}
          UNION SELECT standing_bill_id FROM bill WHERE ${among(bills)('id')}`,
    ),
    transfer_plan: await idsOf(
      since,
      sql`${recorded('transfer_plan')}
          UNION SELECT plan.id FROM transfer_plan AS plan
                  JOIN (${posted('move')}) AS posting ON true
                  JOIN wallet_move AS move ON move.id = posting.subject_id
                 WHERE move.payroll_line_id IS NOT NULL AND plan.wallet_id = move.from_wallet_id`,
    ),
    kyc_application: await idsOf(since, recorded('kyc_application')),
    payout_file: await idsOf(since, recorded('payout_file')),
    payout_reversal: await idsOf(since, recorded('payout_reversal')),
    return_file: await idsOf(
      since,
      sql`${recorded('return_file')}
          UNION SELECT file_id FROM return_entry JOIN (${recorded('return_entry')}) AS record
                    ON record.subject_id = return_entry.id
          UNION SELECT entry.file_id FROM payout_file_item AS item
                  JOIN return_entry AS entry
                    ON entry.item_id = item.id AND entry.status = 'booked' AND entry.kind = 'return'
                 WHERE NOT item.is_live
                   AND (${among(withdrawals)('item.withdrawal_id')} OR ${among(bills)('item.bill_id')})`,
    ),
    month_closing: await idsOf(
      since,
      sql`${recorded('month_closing')}
          UNION SELECT closing.id FROM month_closing AS closing
                  JOIN ledger_transaction AS posting
                    ON posting.effective_at >= closing.begins_at AND posting.effective_at < closing.ends_at
                 WHERE ${among(transactions)('posting.id')}`,
    ),
    bank_statement: await idsOf(
      since,
      sql`${recorded('bank_statement')}
          UNION SELECT statement_id FROM bank_line JOIN (${recorded('bank_line')}) AS record
                    ON record.subject_id = bank_line.id`,
    ),
    bank_line: await idsOf(
      since,
      sql`${recorded('bank_line')}
          UNION SELECT id FROM bank_line WHERE statement_id IN (${recorded('bank_statement')})`,
    ),
    bank_item: await idsOf(
      since,
      sql`SELECT item_id FROM bank_match JOIN (${recorded('bank_line')}) AS record
                    ON record.subject_id = bank_match.line_id`,
    ),
    usual_pay_change: await idsOf(since, recorded('usual_pay_change')),
    recovery: await idsOf(
      since,
      sql`${recorded('recovery')}
          UNION SELECT recovery_id FROM recovery_instalment AS instalment
                  JOIN (${posted('recovery')}) AS posting ON posting.subject_id = instalment.line_id`,
    ),
    app_user: await idsOf(since, recorded('user')),
    payroll_batch: await idsOf(
      since,
      sql`${recorded('payroll_batch')}
          UNION SELECT line.batch_id FROM payroll_line AS line
                  JOIN (${posted('payroll', 'funding', 'reversal', 'recovery')}) AS posting ON posting.subject_id = line.id
          UNION SELECT line.batch_id FROM payroll_line AS line
                  JOIN (${recorded('payroll_line')}) AS record ON record.subject_id = line.id
          UNION SELECT id FROM payroll_batch WHERE status IN ('pending', 'processing')`,
    ),
  };
}

/** A query of ids with the name that others know its column by. */
function named(query: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`SELECT subject_id FROM (${query}) AS found (subject_id)`;
}

/** The ids that a query of one column finds. */
async function idsOf({ reader, most }: Since, query: RawBuilder<unknown>): Promise<Ids> {
  const from = sql`(${query}) AS touched (id) WHERE id IS NOT NULL`;
  const { rows } = await sql<{ list: string | null }>`
    SELECT CASE WHEN count(*) <= ${most} THEN coalesce(array_agg(id), '{}')::text END AS list
      FROM ${from}`.execute(reader);
  return { list: rows[0]?.list ?? null, query: sql`SELECT id FROM ${from}` };
}
