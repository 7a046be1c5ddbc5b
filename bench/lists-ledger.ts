import { DEPARTMENT_IDS } from '#contract/company.ts';
import { AMOUNT_MINOR } from './http.ts';
import { DEPOSIT_MINOR, idOf } from './lists-people.ts';
import type { Size } from './lists-people.ts';

/** One batch a department in each run, numbered on from run to run. */
export const DEPARTMENTS = DEPARTMENT_IDS.length;
const CODES = ['payroll_funding', 'deposit_clearing:ach', 'payout_clearing'] as const;

/** True if an entry or transaction is later than the last payroll. */
const IS_LATE = `effective_at > now() - interval '7 days'`;

/** SQL of the company's month of a time. */
function monthOf(time: string): string {
  return `date_trunc('month', ${time} AT TIME ZONE 'America/New_York')::date`;
}

/** System account on the other side of a kind of posting. */
function outside(code: (typeof CODES)[number]): string {
  return idOf('systemAccount', String(CODES.indexOf(code)));
}

export function systemAccountStatement(): string {
  return `INSERT INTO ledger_account (id, code, kind, currency)
    SELECT bench, code, 'system', 'USD'
      FROM (VALUES ${CODES.map((code) => `(${outside(code)}, '${code}')`).join(', ')}) AS one (bench, code)`;
}

/** Statements of one run, in two halves that two connections may write concurrently. */
interface RunStatements {
  payroll: string[];
  ledger: string[];
}

/** One run of payroll, every two weeks: a batch for each department, all of it paid. */
export function runStatements({ people, runs }: Size, run: number): RunStatements {
  const at = `(date_trunc('milliseconds', now()) - interval '${(runs - run + 1) * 14} days')`;
  const batch = idOf('batch', `${run} * ${DEPARTMENTS} + department`);
  const number = `((${run} - 1)::bigint * ${people} + i)`;
  const transaction = idOf('payrollTransaction', number);
  return {
    payroll: [
      `INSERT INTO payroll_batch (id, number, name, pay_period, description, wallet_type, department,
                                amount_minor, currency, status, preview_hash, payable_count,
                                skipped_count, total_minor, posted_through, paid_count, paid_minor,
                                created_by, created_at, post_after, started_at, processed_at)
     SELECT ${batch}, lpad((${run} * ${DEPARTMENTS} + department)::text, 4, '0'),
            'Salary Wallet - run ${run}', 'A month', 'Biweekly pay', 'salary',
            (ARRAY['${DEPARTMENT_IDS.join("', '")}'])[1 + department], ${AMOUNT_MINOR}, 'USD',
            'completed', sha256(''), lines, 0, lines * ${AMOUNT_MINOR}, lines, lines,
            lines * ${AMOUNT_MINOR}, ${idOf('person', '1')}, ${at}, ${at}, ${at}, ${at}
       FROM (SELECT department, ((${people} - 1 - department) / ${DEPARTMENTS} + 1)::bigint AS lines
               FROM generate_series(0, ${DEPARTMENTS - 1}) AS department) AS one`,
      `INSERT INTO payroll_line (batch_id, line_number, id, user_id, wallet_id, amount_minor, status,
                               ledger_transaction_id, processed_at)
     SELECT ${batch}, line, ${transaction}, ${idOf('person', 'i')}, ${idOf('wallet', 'i')},
            ${AMOUNT_MINOR}, 'processed', ${transaction}, ${at}
       FROM (SELECT department, line, 1 + department + (line - 1) * ${DEPARTMENTS} AS i
               FROM generate_series(0, ${DEPARTMENTS - 1}) AS department,
                    generate_series(1, ${people} / ${DEPARTMENTS} + 1) AS line) AS one
      WHERE i <= ${people}`,
    ],
    ledger: [
      `INSERT INTO ledger_transaction (id, kind, reference, description, actor_id, subject_id,
                                       effective_at, recorded_at)
     SELECT ${transaction}, 'payroll', 'PAY-' || lpad((${run} * ${DEPARTMENTS}
              + (i - 1) % ${DEPARTMENTS})::text, 4, '0') || '-' || lpad(line, greatest(4, length(line)), '0'),
            'Biweekly pay', ${idOf('person', '1')}, ${transaction}, ${at}, ${at}
       FROM generate_series(1, ${people}) AS i,
            LATERAL (SELECT ((i - 1) / ${DEPARTMENTS} + 1)::text AS line) AS one`,
      entriesStatement({
        transaction,
        people,
        at,
        amount: String(AMOUNT_MINOR),
        wallet: { balance: `${run} * ${AMOUNT_MINOR}`, version: String(run) },
        other: {
          account: outside('payroll_funding'),
          balance: `-${number} * ${AMOUNT_MINOR}`,
          version: number,
        },
      }),
    ],
  };
}

/**
 * Everybody's one deposit and one completed withdrawal, after all payrolls; then the balances and
 * totals.
 */
export function settlingStatements({ people, runs }: Size): string[] {
  const at = `(date_trunc('milliseconds', now()) - interval '1 day')`;
  const afterDeposit = `${runs} * ${AMOUNT_MINOR} + ${DEPOSIT_MINOR}`;
  const paidLines = `${runs} * ${people}::bigint`;
  const deposit = idOf('depositTransaction', 'i');
  return [
    `INSERT INTO ledger_transaction (id, kind, reference, description, actor_id, subject_id,
                                     effective_at, recorded_at)
     SELECT ledger_transaction_id, 'deposit', reference, 'ACH deposit', moved_by, id, ${at}, ${at}
       FROM deposit WHERE status = 'approved'`,
    entriesStatement({
      transaction: deposit,
      people,
      at,
      amount: String(DEPOSIT_MINOR),
      wallet: { balance: afterDeposit, version: `${runs} + 1` },
      other: {
        account: outside('deposit_clearing:ach'),
        balance: `-i * ${DEPOSIT_MINOR}::bigint`,
        version: 'i',
      },
    }),
    `INSERT INTO ledger_transaction (id, kind, reference, description, actor_id, subject_id,
                                     effective_at, recorded_at)
     SELECT ledger_transaction_id, 'withdrawal', transaction_reference, 'Withdrawal', moved_by, id,
            ${at}, ${at}
       FROM withdrawal WHERE status = 'completed'`,
    // Each person's payout is of their own first withdrawal, so amounts come from there.
    `WITH paid AS (
       SELECT withdrawal.ledger_transaction_id AS id, amount_minor, wallet.ledger_account_id AS account,
              row_number() OVER (ORDER BY withdrawal.id) AS number,
              sum(amount_minor) OVER (ORDER BY withdrawal.id)::bigint AS so_far
         FROM withdrawal JOIN wallet ON wallet.id = wallet_id WHERE status = 'completed')
     INSERT INTO ledger_entry (transaction_id, account_id, amount, balance_after, account_version,
                               effective_at, recorded_at)
     SELECT id, account, -amount_minor, ${afterDeposit} - amount_minor, ${runs} + 2, ${at}, ${at}
       FROM paid
     UNION ALL
     SELECT id, ${outside('payout_clearing')}, amount_minor, so_far, number, ${at}, ${at} FROM paid`,
    // Without it the joins below are planned for tables that look empty, and take minutes.
    'ANALYZE ledger_entry, ledger_transaction, withdrawal',
    `UPDATE ledger_account SET posted = newest.balance_after, version = newest.account_version,
                               last_entry_at = newest.effective_at
       FROM (SELECT DISTINCT ON (account_id) * FROM ledger_entry WHERE ${IS_LATE}
              ORDER BY account_id, account_version DESC) AS newest
      WHERE newest.account_id = ledger_account.id`,
    `UPDATE ledger_account SET posted = -${paidLines} * ${AMOUNT_MINOR}, version = ${paidLines},
                               last_entry_at = (SELECT max(effective_at) FROM ledger_transaction
                                                 WHERE kind = 'payroll')
      WHERE id = ${outside('payroll_funding')}`,
    `UPDATE ledger_account SET held = open.amount
       FROM (SELECT account_id, sum(amount)::bigint AS amount FROM ledger_hold WHERE state = 'held'
              GROUP BY account_id) AS open
      WHERE open.account_id = ledger_account.id`,
    `WITH paid AS (
       SELECT ${monthOf('created_at')} AS month, count(*) / ${DEPARTMENTS} AS runs
         FROM payroll_batch GROUP BY 1)
     INSERT INTO ledger_total (account_id, month, kind, debit, credit, count)
     SELECT ${idOf('ledgerAccount', 'i')}, month, 'payroll', 0, runs * ${AMOUNT_MINOR}, runs
       FROM paid, generate_series(1, ${people}) AS i
     UNION ALL
     SELECT ${outside('payroll_funding')}, month, 'payroll', runs * ${people} * ${AMOUNT_MINOR}, 0,
            runs * ${people} FROM paid`,
    `INSERT INTO ledger_total (account_id, month, kind, debit, credit, count)
     SELECT account_id, ${monthOf('entry.effective_at')}, kind,
            coalesce(-sum(amount) FILTER (WHERE amount < 0), 0),
            coalesce(sum(amount) FILTER (WHERE amount > 0), 0), count(*)
       FROM ledger_entry AS entry JOIN ledger_transaction AS one ON one.id = transaction_id
      WHERE entry.${IS_LATE} AND one.${IS_LATE} GROUP BY 1, 2, 3`,
  ];
}

interface Posting {
  people: number;
  /** SQL over `i`, the person: the transaction's id, the amount, and the time. */
  transaction: string;
  amount: string;
  at: string;
  /** Balance and version of the two accounts with it. */
  wallet: { balance: string; version: string };
  other: { account: string; balance: string; version: string };
}

function entriesStatement({ people, transaction, amount, at, wallet, other }: Posting): string {
  return `INSERT INTO ledger_entry (transaction_id, account_id, amount, balance_after, account_version,
                                    effective_at, recorded_at)
    SELECT ${transaction}, ${idOf('ledgerAccount', 'i')}, ${amount}, ${wallet.balance},
           ${wallet.version}, ${at}, ${at} FROM generate_series(1, ${people}) AS i
    UNION ALL
    SELECT ${transaction}, ${other.account}, -${amount}, ${other.balance}, ${other.version}, ${at}, ${at}
      FROM generate_series(1, ${people}) AS i`;
}
