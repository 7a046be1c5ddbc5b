import { sql } from 'kysely';
import type { RouteReply } from '#contract/api.ts';
import { ON_ITS_WAY_GROUPS, OWN_KIND_LABELS } from '#contract/company-bank.ts';
import type { BankItemKind, OnItsWayGroup } from '#contract/company-bank.ts';
import { money } from '#contract/money.ts';
import type { Currency } from '#contract/money.ts';
import { systemAccountName } from '#contract/system-accounts.ts';
import type { Reader } from '#server/db/tx.ts';
import { invariant } from '#server/lib/errors.ts';
import { balanceOfPeople } from '#server/modules/ledger/index.ts';
import { readSettings } from '#server/modules/settings/index.ts';
import type { Services } from '#server/services.ts';
import { companyAccounts, isOfCurrency, presentAccount } from './accounts.ts';
import type { AccountRow } from './accounts.ts';
import { findWaiting } from './items.ts';
import { presentRule } from './line-rules.ts';
import { isOwnKind, loadRules } from './lines.ts';

type CompanyBank = RouteReply<'adminGetCompanyBank'>;
type BankPosition = RouteReply<'adminGetBankPosition'>;

/** Money at the bank, on its way and owed, with accounts, the newest statements and the rules. */
export async function getCompanyBank(
  reader: Reader,
  { clock }: Pick<Services, 'clock'>,
): Promise<CompanyBank> {
  const { currency } = await readSettings(reader);
  const { position, amounts, accounts } = await readPosition(reader, currency, clock.now());
  const rules = await loadRules(reader);
  return {
    accounts: accounts.map(presentAccount),
    position: await withItems(reader, position, amounts),
    statements: await newestStatements(reader),
    rules: rules.map((rule) => presentRule(rule, currency)),
  };
}

/** Money at the bank, on its way and owed, and their difference, as the dashboard has them. */
export async function getBankPosition(
  reader: Reader,
  { clock }: Pick<Services, 'clock'>,
): Promise<BankPosition> {
  const { currency } = await readSettings(reader);
  return (await readPosition(reader, currency, clock.now())).position;
}

/**
 * At the bank + on its way − owed = difference. By construction the difference is the sum of the lines without a match:
 * what is on its way is what the ledger's system accounts took or gave since the first statement, less what lines were
 * matched with, and less the company's own money. `npm run verify` compares the two. Accounts in another currency than the
 * company's, from before it was changed, are no part of it.
 */
async function readPosition(
  reader: Reader,
  currency: Currency,
  at: Date,
): Promise<{ position: BankPosition; amounts: Amounts; accounts: AccountRow[] }> {
  const accounts = await companyAccounts(reader);
  const amounts = await onItsWay(reader, currency);
  const wayMinor = [...amounts.values()].reduce((sum, minor) => sum + minor, 0n);
  const { postedMinor: owedMinor } = await balanceOfPeople(reader, currency);
  const closings = accounts.flatMap((account) =>
    account.closingMinor === null || account.lastDay === null || account.currency !== currency
      ? []
      : [{ minor: account.closingMinor, day: account.lastDay }],
  );
  const bankMinor = closings.reduce((sum, { minor }) => sum + minor, 0n);
  const [day] = closings.map((closing) => closing.day).toSorted();
  const { rows } = await sql<{ wallets: number; openLines: number }>`
    SELECT (SELECT count(*)::int FROM wallet WHERE closed_at IS NULL) AS wallets,
           (SELECT coalesce(sum(open.lines), 0)::int
              FROM bank_open_total AS open JOIN bank_statement AS statement ON statement.id = open.statement_id
             WHERE ${isOfCurrency(sql`statement.account_id`, currency)}) AS open_lines`.execute(
    reader,
  );
  const isKnown = day !== undefined;
  const position: BankPosition = {
    atBank: isKnown ? { amount: money(bankMinor, currency), day } : null,
    onItsWay: isKnown ? money(wayMinor, currency) : null,
    owed: {
      amount: money(owedMinor, currency),
      wallets: rows[0]?.wallets ?? 0,
      at: at.toISOString(),
    },
    difference: isKnown ? money(bankMinor + wayMinor - owedMinor, currency) : null,
    openLines: rows[0]?.openLines ?? 0,
  };
  return { position, amounts, accounts };
}

/** The position with the items of what is on its way, by group. */
async function withItems(
  reader: Reader,
  { onItsWay: way, ...position }: BankPosition,
  amounts: Amounts,
): Promise<CompanyBank['position']> {
  if (way === null) return { ...position, onItsWay: null };
  const { currency } = way;
  const waiting = new Map(
    (await findWaiting(reader, currency)).map(({ group, ...items }) => [group, items]),
  );
  const groups = ON_ITS_WAY_GROUPS.flatMap((group) => {
    const minor = amounts.get(group) ?? 0n;
    const { count, names } =
      group === 'own'
        ? { count: amounts.own.length, names: [...amounts.own] }
        : (waiting.get(group) ?? NONE);
    if (minor === 0n && count === 0) return [];
    return [{ group, amount: money(minor, currency), names, count }];
  });
  return { ...position, onItsWay: { amount: way, groups } };
}

const NONE = { count: 0, names: [] };

/** Group of a system account of the ledger, by its code. */
const GROUP_OF_CODE = sql`CASE
  WHEN code = 'payroll_funding' THEN 'payroll' WHEN code LIKE 'deposit\\_clearing:%' THEN 'deposits'
  WHEN code = 'account_verification' THEN 'own' WHEN code = 'payouts_in_transit' THEN 'files' WHEN code = 'bill_clearing' THEN 'bills' ELSE 'payouts' END`;

/** Sums of the groups, with the names of the kinds of the company's own money. */
type Amounts = Map<OnItsWayGroup, bigint> & { own: readonly string[] };

/**
 * Minor units on their way by group. What the ledger booked since the first statement, less matched parts of booked items;
 * matched items that are not booked yet, and the company's own money, count against.
 */
async function onItsWay(reader: Reader, currency: Currency): Promise<Amounts> {
  const { rows: booked } = await sql<{ group: OnItsWayGroup; minor: bigint }>`
    SELECT ${GROUP_OF_CODE} AS "group", -sum(account.posted - coalesce(start.balance_minor, 0))::bigint AS minor
      FROM ledger_account AS account
      LEFT JOIN bank_start AS start ON start.ledger_account_id = account.id
     WHERE account.code IS NOT NULL AND account.currency = ${currency} GROUP BY 1`.execute(reader);
  const { rows: matched } = await sql<{ kind: BankItemKind; minor: bigint }>`
    SELECT kind, sum(minor)::bigint AS minor
      FROM bank_match_total JOIN bank_statement AS statement ON statement.id = statement_id
     WHERE ${isOfCurrency(sql`statement.account_id`, currency)}
     GROUP BY kind HAVING sum(minor) <> 0`.execute(reader);
  const amounts = new Map<OnItsWayGroup, bigint>();
  const add = (group: OnItsWayGroup, minor: bigint) =>
    amounts.set(group, (amounts.get(group) ?? 0n) + minor);
  for (const { group, minor } of booked) add(group, minor);
  const files = await filesSince(reader, currency);
  // The accounts of payouts have all of it; only the group of an amount changes.
  const settledMinor = (amounts.get('files') ?? 0n) - files.filesMinor;
  add('files', -settledMinor);
  add('bills', files.billsMinor);
  add('payouts', settledMinor - files.billsMinor);
  for (const { kind, minor } of matched) add(GROUP_OF_KIND[kind], -minor);
  // Parts of these belong elsewhere: those that the ledger has not booked, and those of bills that came back.
  const ahead = await matchedAhead(reader, currency);
  const move = (from: OnItsWayGroup, to: OnItsWayGroup, minor: bigint) => {
    add(from, minor);
    add(to, -minor);
  };
  move('deposits', 'depositsWaiting', ahead.depositsMinor);
  move('payouts', 'payoutsWaiting', ahead.withdrawalsMinor);
  move('bills', 'payoutsWaiting', ahead.billsMinor);
  move('payouts', 'bills', ahead.billReturnsMinor);
  const own = matched.flatMap(({ kind }) => (isOwnKind(kind) ? [OWN_KIND_LABELS[kind]] : []));
  const isVerified = booked.some(({ group, minor }) => group === 'own' && minor !== 0n);
  return Object.assign(amounts, {
    own: isVerified ? [...own, systemAccountName('account_verification')] : own,
  });
}

/** Group of an item that is booked, by its kind; a return is a withdrawal's. */
const GROUP_OF_KIND: Readonly<Record<BankItemKind, OnItsWayGroup>> = {
  deposit: 'deposits',
  withdrawal: 'payouts',
  bill: 'bills',
  return: 'payouts',
  payroll: 'payroll',
  payout_file: 'files',
  own: 'own',
  fee: 'own',
  interest: 'own',
};

interface Ahead {
  depositsMinor: bigint;
  withdrawalsMinor: bigint;
  billsMinor: bigint;
  billReturnsMinor: bigint;
}

/** Minor units that lines have of items that are not booked yet, and of bills that came back. These items are few. */
async function matchedAhead(reader: Reader, currency: Currency): Promise<Ahead> {
  const matched = (kind: BankItemKind, table: 'deposit' | 'withdrawal' | 'bill', status: string) =>
    sql`(SELECT coalesce(sum(match.amount_minor), 0)::bigint
           FROM ${sql.table(table)} AS item
           JOIN bank_match AS match
             ON match.item_id = item.id AND match.kind = ${kind} AND match.undone_at IS NULL
          WHERE item.status = ${sql.lit(status)} AND item.currency = ${currency})`;
  const { rows } = await sql<Ahead>`
    SELECT ${matched('deposit', 'deposit', 'pending')} AS deposits_minor,
           ${matched('withdrawal', 'withdrawal', 'processing')} AS withdrawals_minor,
           ${matched('bill', 'bill', 'sent')} AS bills_minor,
           ${matched('return', 'bill', 'returned')} AS bill_returns_minor`.execute(reader);
  return invariant(rows[0], 'a sum gave no row');
}

/**
 * Payments of files move from payouts in transit to other accounts when they are settled or come back. The bank debits the
 * file. So a file counts as a whole from when it was sent, and its bills and withdrawals count only for what came back.
 *
 * @returns minor units on their way: of files sent since the first statement, as far as their payments are marked as sent, and by how much bills are less than what is
 *   booked for them, because their file has it
 */
async function filesSince(
  reader: Reader,
  currency: Currency,
): Promise<{ filesMinor: bigint; billsMinor: bigint }> {
  const { rows } = await sql<{ filesMinor: bigint; billsMinor: bigint }>`
    WITH start AS (SELECT coalesce(min(started_at), '-infinity') AS at FROM bank_start)
    SELECT (SELECT coalesce(-sum(total_minor - unposted.minor), 0)::bigint
              FROM payout_file AS file CROSS JOIN start
             CROSS JOIN LATERAL (
               SELECT coalesce(sum(amount_minor), 0) AS minor FROM payout_file_item
                WHERE file.status = 'sent' AND file_id = file.id 
                  AND (trace_number > file.unposted_after OR refused_why IS NOT NULL)) AS unposted
             WHERE sent_at >= start.at AND file.currency = ${currency}) AS files_minor,
           (SELECT coalesce(sum(bill.amount_minor), 0)::bigint
              FROM payout_file_item AS item
              JOIN payout_file AS file ON file.id = item.file_id AND file.sent_at IS NOT NULL
              JOIN bill ON bill.id = item.bill_id AND bill.status IN ('paid', 'returned')
              LEFT JOIN ledger_transaction AS settled ON settled.id = bill.settlement_id
              CROSS JOIN start
             WHERE coalesce(settled.effective_at, bill.moved_at) >= start.at AND bill.currency = ${currency})
             AS bills_minor`.execute(reader);
  return invariant(rows[0], 'a sum gave no row');
}

const MOST_STATEMENTS = 50;

async function newestStatements(reader: Reader): Promise<CompanyBank['statements']> {
  const { rows } = await sql<
    Omit<CompanyBank['statements'][number], 'importedAt' | 'opening' | 'closing'> & {
      importedAt: Date;
      currency: Currency;
      openingMinor: bigint;
      closingMinor: bigint;
    }
  >`
    SELECT statement.id, account_id, from_day::text AS "from", to_day::text AS "to", format, file_name, imported_at,
           app_user.name AS imported_by, line_count AS lines, account.currency, opening_minor, closing_minor,
           coalesce((SELECT lines FROM bank_open_total WHERE statement_id = statement.id), 0) AS open
      FROM bank_statement AS statement JOIN app_user ON app_user.id = imported_by
      JOIN company_bank_account AS account ON account.id = account_id
     ORDER BY to_day DESC, imported_at DESC, number DESC LIMIT ${MOST_STATEMENTS}`.execute(reader);
  return rows.map(({ openingMinor, closingMinor, currency, importedAt, ...row }) => ({
    ...row,
    importedAt: importedAt.toISOString(),
    opening: money(openingMinor, currency),
    closing: money(closingMinor, currency),
  }));
}
