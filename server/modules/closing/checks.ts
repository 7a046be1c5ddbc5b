import { sql } from 'kysely';
import type { RouteReply } from '#contract/api.ts';
import { monthName } from '#contract/closing.ts';
import { formatMoney, money } from '#contract/money.ts';
import type { Reader } from '#server/db/tx.ts';
import { writeMoment } from '#server/lib/calendar.ts';
import { fileNumber } from '#server/lib/file-number.ts';
import { writeDay } from '#server/lib/write-day.ts';
import { areBooksSound, lastWholeRun } from '#server/modules/books/index.ts';
import { findOpenBefore } from '#server/modules/company-bank/index.ts';
import type { JournalLine, MonthSpan } from './journal.ts';
import { sumOf } from './journal.ts';
import { differenceOf } from './position.ts';
import type { EndPosition } from './position.ts';

export type MonthCheck = RouteReply<'adminGetMonth'>['checks'][number];

export interface Asked extends MonthSpan {
  timeZone: string;
  /** Month that has to be closed first; null where it is this one's turn. */
  former: string | null;
  position: EndPosition;
  /** The journal; null where nothing is shown of it but what is done. */
  lines: readonly JournalLine[] | null;
}

const done = (check: MonthCheck['check'], title: string, detail: string, figure: string | null) =>
  ({ check, isDone: true, title, detail, figure, place: null }) satisfies MonthCheck;
const task = (
  check: MonthCheck['check'],
  title: string,
  detail: string,
  place: NonNullable<MonthCheck['place']>,
) => ({ check, isDone: false, title, detail, figure: null, place }) satisfies MonthCheck;

const counted = (count: number, one: string, many: string) =>
  `${count.toLocaleString('en-US')} ${count === 1 ? one : many}`;

/** The conditions for closing a month, in their order: what is done, and what is to do. */
export async function checkMonth(reader: Reader, asked: Asked): Promise<MonthCheck[]> {
  const checks = [
    await checkStatements(reader, asked),
    await checkClearing(reader, asked),
    await checkPayroll(reader, asked),
    await checkVerified(reader, asked),
    checkOwed(asked),
  ];
  const { former } = asked;
  if (former === null) return checks;
  const name = monthName(former);
  const place = { to: 'month', id: former.slice(0, 7), label: `Open ${name}` } as const;
  return [...checks, task('order', `Close ${name} first`, 'Months close in their order', place)];
}

const COMPANY_BANK = { to: 'companyBank', id: null } as const;

/** Every account has a statement through the last day, and every line by then is matched. */
async function checkStatements(
  reader: Reader,
  { month, lastDay, endsAt, currency }: Asked,
): Promise<MonthCheck> {
  const { rows: missing } = await sql<{ bankName: string; last4: string }>`
    SELECT account.bank_name, account.last4
      FROM company_bank_account AS account
      LEFT JOIN (SELECT account_id, min(from_day) AS first, max(to_day) AS last
                   FROM bank_statement GROUP BY account_id) AS statement ON statement.account_id = account.id
     WHERE coalesce(statement.last < ${lastDay}::date AND statement.first <= ${lastDay}::date,
                    statement.first IS NULL AND account.added_at < ${endsAt})
     ORDER BY account.added_at`.execute(reader);
  const { rows: open } = await sql<{ minor: bigint; count: number }>`
    SELECT amount_minor AS minor, (count(*) OVER ())::int AS count FROM bank_line
     WHERE matched_at IS NULL AND booked_on <= ${lastDay}::date ORDER BY booked_on DESC, id LIMIT 3`.execute(
    reader,
  );
  const { rows: counts } = await sql<{ lines: number; accounts: number }>`
    SELECT (SELECT count(*)::int FROM bank_line
             WHERE booked_on BETWEEN ${month}::date AND ${lastDay}::date) AS lines,
           (SELECT count(*)::int FROM company_bank_account) AS accounts`.execute(reader);
  const { lines = 0, accounts = 0 } = counts[0] ?? {};
  const day = writeDay(lastDay);
  const [without] = missing;
  if (without !== undefined) {
    const name = `${without.bankName} ••${without.last4}`;
    const place = { ...COMPANY_BANK, label: 'Open Company Bank' };
    return task('statements', 'Import the bank’s statement', `${name}, through ${day}`, place);
  }
  const [newest] = open;
  if (newest !== undefined) {
    const amounts = open.map(({ minor }) => formatMoney(money(minor, currency), 'always'));
    const more = newest.count > open.length ? ' and more' : '';
    return task(
      'statements',
      `Match ${counted(newest.count, 'statement line', 'statement lines')}`,
      `${amounts.join(', ')}${more}, through ${day}`,
      // Lines of every statement: those of the newest one may all be matched.
      { ...COMPANY_BANK, id: 'open', label: 'Open Lines' },
    );
  }
  if (accounts === 0) {
    const none = 'No bank account of the company is set up, so none is compared';
    return done('statements', 'There are no statement lines', none, null);
  }
  const all = lines.toLocaleString('en-US');
  const words = `${all} of ${counted(lines, 'line', 'lines')}, through ${day}`;
  return done('statements', 'All statement lines are matched', words, `${all} of ${all}`);
}

/** Nothing that was booked by then is still on its way. */
async function checkClearing(reader: Reader, asked: Asked): Promise<MonthCheck> {
  const [file] = await filesOnTheirWay(reader, asked);
  if (file !== undefined) {
    const { number, payments } = file;
    const written = number === null ? null : fileNumber(number);
    const name = written === null ? 'A payment' : `File ${written}`;
    const words = `${name}: ${counted(payments, 'entry', 'entries')} neither settled nor returned`;
    const place =
      written === null
        ? { ...COMPANY_BANK, label: 'Open Company Bank' }
        : ({ to: 'payoutFile', id: written, label: `Open ${name}` } as const);
    return task('clearing', 'Bring “Payouts on their way” to zero', words, place);
  }
  const open = await findOpenBefore(reader, { ...asked, before: asked.endsAt });
  if (open.length > 0) {
    const names = open.slice(0, 3).map(({ name }) => name);
    const more = open.length > 3 ? ` and ${open.length - 3} more` : '';
    return task(
      'clearing',
      'Bring the clearing accounts to zero',
      `${names.join(', ')}${more} on no statement yet`,
      { ...COMPANY_BANK, label: 'Open Company Bank' },
    );
  }
  return done(
    'clearing',
    'Clearing accounts are at zero',
    'Payouts on their way, Deposits on their way, Returns',
    formatMoney(money(0n, asked.currency)),
  );
}

/** SQL of the `file` that a request or a micro-deposit is in, by its id. */
const fileOf = (id: string) =>
  sql.raw(`LATERAL (
  SELECT file.id, file.number
    FROM (SELECT file_id FROM payout_file_item WHERE is_live AND withdrawal_id = ${id}
           UNION ALL SELECT file_id FROM payout_file_item WHERE is_live AND bill_id = ${id}
           UNION ALL SELECT file_id FROM payout_file_item WHERE is_live AND id = ${id}) AS item
    JOIN payout_file AS file ON file.id = item.file_id) AS file`);

interface OnTheirWay {
  id: string | null;
  number: number | null;
  payments: number;
}

/**
 * Files with payments that were sent by the end of the month, and are neither settled nor returned now. They are the requests
 * that are on their way: few, whatever the account of payouts in transit has had. Only where these are not what it has now,
 * as while micro-deposits are on their way, all of its entries are read.
 */
async function filesOnTheirWay(reader: Reader, asked: Asked): Promise<OnTheirWay[]> {
  const { endsAt, currency } = asked;
  const { rows } = await sql<OnTheirWay & { minor: bigint }>`
    SELECT file.id, file.number, sum(payment.amount_minor)::bigint AS minor,
           (count(*) FILTER (WHERE posting.effective_at < ${endsAt}))::int AS payments
      FROM (SELECT id, ledger_transaction_id, amount_minor FROM withdrawal
             WHERE status = 'processing' AND ledger_transaction_id IS NOT NULL AND currency = ${currency}
             UNION ALL
            SELECT id, ledger_transaction_id, amount_minor FROM bill
             WHERE status = 'sent' AND ledger_transaction_id IS NOT NULL AND currency = ${currency}) AS payment
      JOIN ledger_transaction AS posting ON posting.id = payment.ledger_transaction_id
      LEFT JOIN ${fileOf('payment.id')} ON true
     GROUP BY file.id, file.number ORDER BY file.number NULLS FIRST`.execute(reader);
  const { rows: accounts } = await sql<{ posted: bigint }>`
    SELECT posted FROM ledger_account WHERE code = 'payouts_in_transit' AND currency = ${currency}`.execute(
    reader,
  );
  const onTheirWay = rows.reduce((sum, { minor }) => sum + minor, 0n);
  if (onTheirWay !== (accounts[0]?.posted ?? 0n)) return filesInLedger(reader, asked);
  return rows.filter(({ payments }) => payments > 0);
}

/** The same by the entries of the account. */
async function filesInLedger(reader: Reader, { endsAt, currency }: Asked): Promise<OnTheirWay[]> {
  const { rows } = await sql<OnTheirWay>`
    SELECT file.id, file.number, count(*)::int AS payments
      FROM ledger_account AS transit
     CROSS JOIN LATERAL (
       SELECT posting.subject_id
         FROM ledger_entry AS entry JOIN ledger_transaction AS posting ON posting.id = entry.transaction_id
        WHERE entry.account_id = transit.id
        GROUP BY posting.subject_id
       HAVING sum(entry.amount) <> 0 AND min(entry.effective_at) < ${endsAt}) AS payment
      LEFT JOIN ${fileOf('payment.subject_id')} ON true
     WHERE transit.code = 'payouts_in_transit' AND transit.currency = ${currency} AND transit.posted <> 0
     GROUP BY file.id, file.number ORDER BY file.number NULLS FIRST`.execute(reader);
  return rows;
}

/** No payroll of the month, or of an earlier one, waits or is being paid. */
async function checkPayroll(reader: Reader, asked: Asked): Promise<MonthCheck> {
  const { month, lastDay, timeZone } = asked;
  const day = sql`coalesce(pay_on, (created_at AT TIME ZONE ${timeZone})::date)`;
  const { rows: pending } = await sql<{ id: string; number: number }>`
    SELECT id, number FROM payroll_batch
     WHERE status IN ('pending', 'processing') AND ${day} <= ${lastDay}::date
     ORDER BY number`.execute(reader);
  const { rows } = await sql<{ batches: number }>`
    SELECT count(*)::int AS batches FROM payroll_batch
     WHERE status IN ('completed', 'failed') AND ${day} BETWEEN ${month}::date AND ${lastDay}::date`.execute(
    reader,
  );
  const name = monthName(month).split(' ')[0] ?? '';
  const [first] = pending;
  if (first !== undefined) {
    const count = counted(pending.length, 'payroll', 'payrolls');
    const place = { to: 'payroll', id: first.id, label: 'Open Payroll' } as const;
    return task('payroll', `Finish ${count}`, 'Each is paid, declined or stopped', place);
  }
  const batches = rows[0]?.batches ?? 0;
  const words = `${counted(batches, 'batch', 'batches')} in ${name}, none of them pending`;
  return done('payroll', 'No payroll is pending', words, '0 pending');
}

/** All of the books were verified after the month was over, and nothing was found. */
async function checkVerified(
  reader: Reader,
  { endsAt, lastDay, timeZone }: Asked,
): Promise<MonthCheck> {
  const run = await lastWholeRun(reader);
  const isSound = await areBooksSound(reader);
  if (!isSound) {
    return task(
      'verified',
      'Find out why the books are not sound',
      'A verification found something',
      { to: 'health', id: null, label: 'Open Dashboard' },
    );
  }
  if (run === null || !run.isSound || new Date(run.startedAt) < endsAt) {
    return task('verified', 'Verify the books', `All of them, after ${writeDay(lastDay)}`, {
      to: 'verify',
      id: null,
      label: 'Verify Now',
    });
  }
  const at = writeMoment(new Date(run.startedAt), timeZone, 'date');
  return done('verified', 'The books are verified', `Every entry, ${at}`, 'Verified');
}

/** The money that was owed was at the bank; without statements, debit and credit are equal. */
function checkOwed({ position, currency, lastDay, lines, month }: Asked): MonthCheck {
  const write = (minor: bigint) => formatMoney(money(minor, currency));
  const { owedMinor, bank } = position;
  const difference = differenceOf(position);
  if (bank === null || difference === null) {
    // Without the journal it is done: the ledger refuses a posting without two sides, and verification looks for one.
    const { debitMinor, creditMinor } = sumOf(lines ?? []);
    const name = monthName(month).split(' ')[0] ?? '';
    const balanced = write(debitMinor - creditMinor);
    return {
      ...done('owed', 'The ledger is balanced', `Debit and credit of ${name}`, balanced),
      isDone: debitMinor === creditMinor,
    };
  }
  const way = bank.wayMinor === 0n ? 'nothing on its way' : `${write(bank.wayMinor)} on its way`;
  const words = `At the bank ${write(bank.bankMinor)}, owed ${write(owedMinor)}, ${way}`;
  const title = `What is owed was at the bank on ${writeDay(lastDay)}`;
  if (difference === 0n) return done('owed', title, words, write(0n));
  return task('owed', `Explain a difference of ${write(difference)}`, words, {
    ...COMPANY_BANK,
    label: 'Open Company Bank',
  });
}
