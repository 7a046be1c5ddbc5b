import { sql } from 'kysely';
import { bankingZone } from '#contract/bank-holidays.ts';
import { bankingToday, isBankingDay } from '#contract/banking-days.ts';
import { formatRefusal, isRoutingNumber } from '#contract/account-formats.ts';
import { formatMoney, money } from '#contract/money.ts';
import type { Currency } from '#contract/money.ts';
import type { PayoutCheck } from '#contract/payouts.ts';
import type { Reader } from '#server/db/tx.ts';
import type { AuditContext } from '#server/lib/actor.ts';
import { writeMoment } from '#server/lib/calendar.ts';
import { AppError, invariant } from '#server/lib/errors.ts';
import { readAhead } from '#server/lib/one-ahead.ts';
import { writeDay } from '#server/lib/write-day.ts';
import type { Services } from '#server/services.ts';
import { readCheckedItems } from './checked-items.ts';
import type { CheckedItem } from './checked-items.ts';

type Clocked = Pick<Services, 'clock'>;

/** Result of a check of a file before it is given out. */
interface Check {
  check: PayoutCheck;
  /** Figures of one that passed. */
  note: string | null;
  /** The refusal of its download; null if it passed. */
  failure: AppError | null;
}

interface CheckedFile {
  id: string;
  itemCount: number;
  totalMinor: bigint;
  currency: Currency;
  sameDayUntil: Date | null;
}

interface Sums {
  heldMinor: bigint;
  /** Sum of micro-deposits, which are the company’s own money. */
  ownMinor: bigint;
  wallets: number;
  liveCount: number;
  days: string[];
}

/** Place of the money of a file: on hold in wallets, or the company's own; null for a file of prenotes alone. */
function holdsNote(
  { wallets, heldMinor, ownMinor }: Sums,
  write: (minor: bigint) => string,
): string | null {
  const notes = [
    wallets > 0 &&
      `${write(heldMinor)} on hold in ${wallets === 1 ? '1 wallet' : `${wallets} wallets`}`,
    ownMinor > 0n && `${write(ownMinor)} of the company’s own money`,
  ].filter((note) => note !== false);
  return notes.length === 0 ? null : notes.join(', ');
}

/**
 * Checks a file that was not sent as it is now, some of its payments at a time. Its page shows the results, and its download is
 * refused by the first one that fails. The last check is that of its making: it was read back then, and each download writes it
 * again and compares it.
 *
 * @param written of the transaction that made the file, which has refused each payment that cannot leave
 */
export async function checkPayoutFile(
  reader: Reader,
  services: Clocked,
  by: AuditContext,
  file: CheckedFile,
  written?: Judged,
): Promise<Check[]> {
  const now = services.clock.now();
  const sums = await readSums(reader, file.id);
  const { ofItems, badRouting } = written ?? (await judgeItems(reader, services, by, file));
  const held = formatMoney(money(sums.heldMinor, file.currency));
  const closed = sums.days.find((day) => !isBankingDay(day, file.currency));
  const failedIf = (why: string | false) =>
    why === false ? null : new AppError('payout_check_failed', { why });
  const check = (name: PayoutCheck, note: string | null, failure: AppError | null): Check => ({
    check: name,
    note: failure === null ? note : null,
    failure,
  });
  return [
    check(
      'routing',
      null,
      failedIf(badRouting !== null && numbersWords(badRouting, file.currency)),
    ),
    check(
      'holds',
      holdsNote(sums, (minor) => formatMoney(money(minor, file.currency))),
      failedIf(
        sums.heldMinor + sums.ownMinor !== file.totalMinor && `${held} of its payments is on hold.`,
      ),
    ),
    check(
      'single',
      null,
      failedIf(
        // A payment that is live here is live in no other file, by its constraints.
        sums.liveCount !== file.itemCount && 'One of its payments is in another file.',
      ),
    ),
    check('payable', null, ofItems),
    check(
      'days',
      null,
      failedIf(closed !== undefined && `Banks are closed on ${writeDay(closed)}.`),
    ),
    check('cutOff', null, failedIf(tooLate(file, sums.days, now))),
    check('readBack', `${file.itemCount} of ${file.itemCount} payments, same totals`, null),
  ];
}

/** Results of looking at each payment of a file. */
interface Judged {
  /** The refusal of the first payment that cannot leave; null if all can. */
  ofItems: AppError | null;
  /** Reference of the first payment to an account with wrong numbers; null if all are right. */
  badRouting: string | null;
}

async function judgeItems(
  reader: Reader,
  services: Clocked,
  by: AuditContext,
  { id: fileId, currency }: CheckedFile,
): Promise<Judged> {
  const judged: Judged = { ofItems: null, badRouting: null };
  for await (const items of readAhead(readCheckedItems(reader, services, by, fileId))) {
    const wrong = items.find((item) => isWrong(item, currency));
    judged.badRouting ??= wrong?.reference ?? null;
    const refused = items.find(({ why }) => why !== null);
    judged.ofItems ??= refused ? notReady(refused) : null;
  }
  return judged;
}

function notReady({ reference, why }: CheckedItem): AppError {
  return new AppError('payout_item_not_ready', { reference, why: why ?? '' });
}

/** True for an account whose routing number is wrong, or that is none of those that files in this currency pay to. */
function isWrong(item: CheckedItem, currency: Currency): boolean {
  const isOther = formatRefusal(item, currency) !== null;
  return isOther || (currency === 'USD' && !isRoutingNumber(item.routingNumber));
}

function numbersWords(reference: string, currency: Currency): string {
  return currency === 'USD'
    ? `The routing number of ${reference} is wrong.`
    : `Files in ${currency} do not pay to an account with the numbers of ${reference}.`;
}

/** The sentence about a file that reaches the bank too late for its first day; false in time. */
function tooLate(
  { currency, sameDayUntil }: CheckedFile,
  days: readonly string[],
  now: Date,
): string | false {
  if (sameDayUntil !== null) {
    const until = writeMoment(sameDayUntil, bankingZone(currency), 'weekday');
    return now >= sameDayUntil && `The bank had to have it by ${until}.`;
  }
  const first = invariant(days.toSorted()[0], 'a file without items');
  return (
    first <= bankingToday(now, currency) && `It is too late for payments of ${writeDay(first)}.`
  );
}

async function readSums(reader: Reader, fileId: string): Promise<Sums> {
  const { rows } = await sql<Sums>`
    SELECT coalesce(sum(hold.amount) FILTER (WHERE hold.state = 'held'), 0)::bigint AS held_minor,
           coalesce(sum(item.amount_minor) FILTER (WHERE item.deposit_number IS NOT NULL), 0)::bigint AS own_minor,
           count(DISTINCT hold.account_id)::int AS wallets,
           count(*) FILTER (WHERE item.is_live)::int AS live_count,
           coalesce(array_agg(DISTINCT to_char(item.effective_on, 'YYYY-MM-DD')), '{}') AS days
      FROM payout_file_item AS item
      LEFT JOIN withdrawal ON withdrawal.id = item.withdrawal_id
      LEFT JOIN bill ON bill.id = item.bill_id
      LEFT JOIN ledger_hold AS hold ON hold.id = coalesce(withdrawal.hold_id, bill.hold_id)
     WHERE item.file_id = ${fileId}`.execute(reader);
  return invariant(rows[0], 'a sum gave no row');
}
