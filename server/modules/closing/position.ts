import { sql } from 'kysely';
import type { Reader } from '#server/db/tx.ts';
import type { MonthSpan } from './journal.ts';

/** The amount owed at the end of a month, in minor units, and the amount at the bank by the statements of that day. */
export interface EndPosition {
  owedMinor: bigint;
  /** Null where no statement was imported by then. At the bank + on its way − owed is the sum of lines without a match. */
  bank: { bankMinor: bigint; wayMinor: bigint } | null;
}

/**
 * Position at the end of a month. What is on its way is what the ledger's system accounts took or gave since the first
 * statement, less what lines of that time were matched with, as Company Bank has it of now.
 */
export async function positionAt(
  reader: Reader,
  { lastDay, endsAt, currency }: MonthSpan,
): Promise<EndPosition> {
  const { rows } = await sql<{
    owedMinor: bigint;
    startMinor: bigint;
    bankMinor: bigint | null;
    matchedMinor: bigint;
  }>`
    SELECT (SELECT -coalesce(sum(last.balance_after), 0)::bigint
              FROM ledger_account AS account
             CROSS JOIN LATERAL (
               SELECT balance_after FROM ledger_entry
                WHERE account_id = account.id AND effective_at < ${endsAt}
                ORDER BY effective_at DESC, account_version DESC LIMIT 1) AS last
             WHERE account.code IS NOT NULL AND account.currency = ${currency}) AS owed_minor,
           (SELECT coalesce(sum(balance_minor), 0)::bigint
              FROM bank_start JOIN ledger_account AS account ON account.id = ledger_account_id
             WHERE account.currency = ${currency}) AS start_minor,
           (SELECT sum(first.opening_minor + coalesce(line.amount, 0))::bigint
              FROM (SELECT account_id, opening_minor
                      FROM bank_statement JOIN company_bank_account AS account ON account.id = account_id
                     WHERE number = 1 AND from_day <= ${lastDay}::date AND account.currency = ${currency}) AS first
              LEFT JOIN (SELECT account_id, sum(amount_minor) AS amount FROM bank_line
                          WHERE position > 0 AND booked_on <= ${lastDay}::date GROUP BY account_id) AS line
                USING (account_id)) AS bank_minor,
           (SELECT coalesce(sum(match.amount_minor), 0)::bigint
              FROM bank_line AS line
              JOIN bank_match AS match ON match.line_id = line.id AND match.undone_at IS NULL
              JOIN company_bank_account AS account ON account.id = line.account_id AND account.currency = ${currency}
             WHERE line.booked_on <= ${lastDay}::date) AS matched_minor`.execute(reader);
  const [row] = rows;
  if (row === undefined) throw new Error('a row of sums is always there');
  const { owedMinor, startMinor, bankMinor, matchedMinor } = row;
  const wayMinor = owedMinor + startMinor - matchedMinor;
  return { owedMinor, bank: bankMinor === null ? null : { bankMinor, wayMinor } };
}

/** Amount by which the bank has more than is owed; null where no statement says. */
export function differenceOf({ owedMinor, bank }: EndPosition): bigint | null {
  return bank === null ? null : bank.bankMinor + bank.wayMinor - owedMinor;
}
