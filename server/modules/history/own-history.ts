import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { CATEGORY_OF, TRANSACTION_TYPE_LABELS, TRANSACTION_TYPES } from '#contract/activity.ts';
import type { TransactionCategory } from '#contract/activity.ts';
import { dayIn } from '#contract/calendar.ts';
import type { ViewOf } from '#contract/list.ts';
import { historyList } from '#contract/lists.ts';
import { currencySymbol, decimalAmount } from '#contract/money.ts';
import { WALLET_LABELS } from '#contract/wallets.ts';
import { descending, key } from '#server/db/list-order.ts';
import type { Source } from '#server/db/list-definition.ts';
import { readsList } from '#server/db/list.ts';
import { comparable } from '#server/db/search.ts';
import { momentColumnsIn } from '#server/lib/csv-moments.ts';
import { plainCell, textCell } from '#server/lib/csv.ts';
import { endOfDay, startOfDay } from './days.ts';
import { presentEvent } from './present.ts';
import { isInTransit, isNotInTransit, REQUEST_KINDS, shownStatus } from './request-kinds.ts';
import type { RequestKind } from './request-kinds.ts';
import { postedAs, readOwnRows } from './rows.ts';
import type { EventRow } from './rows.ts';
import type { HistoryScope, OwnAccount } from './scope.ts';

type View = ViewOf<typeof historyList>;

const NEWEST = descending(key(sql`event.at`, 'instant'), key(sql`event.id`, 'text'));

/**
 * History of a person's money. Each account's entries are read by an index in the order of their
 * time, and the few requests that are not posted by theirs; the newest of each are merged
 * (docs/decisions/016). All columns that a filter uses have the same names in every source.
 */
export const ownHistory = readsList(historyList, {
  from: sourcesOf,
  id: sql`event.id`,
  where: {
    account: (type) => sql`event.account_type = ${type}`,
    type: (category) => sql`event.listed_kind = ANY (${kindsOf(category)}::text[])`,
    status: (status) => sql`event.status = ${status}`,
    from: (day, { settings }) => sql`event.at >= ${startOfDay(day, settings.timeZone)}`,
    to: (day, { settings }) => sql`event.at < ${endOfDay(day, settings.timeZone)}`,
  },
  search: { words: sql`event.words` },
  segments: () => [{ order: NEWEST }],
  rows: readOwnRows,
  present: (row: EventRow, _scope: HistoryScope) => presentEvent(row),
  csv: [
    { header: 'Date', cell: ({ at }, { settings }) => plainCell(dayIn(settings.timeZone, at)) },
    // Individual funding is payroll to the person, as on screen.
    { header: 'Type', cell: ({ type }) => plainCell(type === 'funding' ? 'payroll' : type) },
    { header: 'Description', cell: ({ description }) => textCell(description) },
    { header: 'Amount', cell: ({ amountMinor }) => plainCell(decimalAmount(amountMinor)) },
    { header: 'Status', cell: ({ status }) => plainCell(status) },
    { header: 'Reference', cell: ({ reference }) => plainCell(reference) },
    { header: 'Account', cell: ({ accountType }) => plainCell(WALLET_LABELS[accountType]) },
    { header: 'Pay period', cell: ({ payPeriod }) => textCell(payPeriod ?? '') },
    ...momentColumnsIn(
      'Time',
      ({ at }: EventRow) => at,
      ({ settings }: HistoryScope) => settings.timeZone,
    ),
    {
      header: 'Balance after',
      cell: ({ balanceAfterMinor }) =>
        plainCell(balanceAfterMinor === null ? '' : decimalAmount(balanceAfterMinor)),
    },
  ],
});

/** Only the sources that can have rows for the filter. */
function sourcesOf(view: View, scope: HistoryScope): Source[] {
  const { account, type, status } = view;
  const accounts = scope.accounts.filter(
    (own) => (account === 'all' || account === own.type) && (type === 'all' || hasHad(own, type)),
  );
  return [
    ...(status === 'all' ? accounts.map((own) => countedWhereKnown(own, view, scope)) : []),
    ...(status === 'completed' ? accounts.map((own) => completedOnes(own, view, scope)) : []),
    ...(status === 'pending' ? accounts.map((own) => postedTo(own, scope, 'pending')) : []),
    ...(status === 'completed' ? [] : REQUEST_KINDS.map((kind) => unposted(kind, scope))),
    ...NOTHING,
  ];
}

/** A person may have no account, and a list without a source would not be a valid statement. */
const NOTHING = [
  sql`(SELECT '' AS id, now() AS at, '' AS account_type, '' AS status, '' AS listed_kind, '' AS words
        WHERE false) AS event`,
];

/** A reversal may be of any kind. */
function hasHad({ kinds }: OwnAccount, category: TransactionCategory): boolean {
  return [...kindsOf(category), 'reversal'].some((kind) => kinds.includes(kind));
}

/**
 * The entries of an account are numbered without a gap in the order of their time. So their count
 * between two days is the difference of two numbers.
 */
function countedWhereKnown(own: OwnAccount, view: View, scope: HistoryScope): Source {
  const table = postedTo(own, scope);
  if (view.search !== '') return table;
  if (view.type !== 'all') return countedByType(table, own, view);
  const { timeZone } = scope.settings;
  const last = lastNumber(own, view.to === '' ? null : endOfDay(view.to, timeZone));
  if (view.from === '') return { table, total: last };
  const before = lastNumber(own, startOfDay(view.from, timeZone));
  return { table, total: sql<bigint>`greatest(${last} - ${before}, 0)` };
}

/** Entries without those of payments on their way, which are few. */
function completedOnes(own: OwnAccount, view: View, scope: HistoryScope): Source {
  const all = countedWhereKnown(own, view, scope);
  const table = postedTo(own, scope, 'completed');
  if (!('total' in all)) return table;
  const { timeZone } = scope.settings;
  const conditions = [
    view.from === '' ? sql`true` : sql`event.at >= ${startOfDay(view.from, timeZone)}`,
    view.to === '' ? sql`true` : sql`event.at < ${endOfDay(view.to, timeZone)}`,
    view.type === 'all' ? sql`true` : sql`event.listed_kind = ANY (${kindsOf(view.type)}::text[])`,
  ];
  const pending = sql`(SELECT count(*) FROM ${postedTo(own, scope, 'pending')}
    WHERE ${sql.join(conditions, sql` AND `)})`;
  return { table, total: sql<bigint>`(${all.total} - ${pending})` };
}

/**
 * The ledger's totals count each kind, but have neither the original of a reversal nor the days of
 * a month.
 */
function countedByType(
  table: RawBuilder<unknown>,
  { ledgerAccountId, kinds }: OwnAccount,
  { type, from, to }: View,
): Source {
  if (type === 'all' || from !== '' || to !== '' || kinds.includes('reversal')) return table;
  const total = sql<bigint>`coalesce((
    SELECT sum(count) FROM ledger_total
     WHERE account_id = ${ledgerAccountId} AND kind = ANY (${kindsOf(type)}::text[])), 0)::bigint`;
  return { table, total };
}

/** Number of an account's last entry before a moment, or of its last entry; 0 if there is none. */
function lastNumber(
  { ledgerAccountId }: OwnAccount,
  before: RawBuilder<unknown> | null,
): RawBuilder<bigint> {
  const isBefore = before === null ? sql`true` : sql`effective_at < ${before}`;
  return sql<bigint>`coalesce((
    SELECT account_version FROM ledger_entry WHERE account_id = ${ledgerAccountId} AND ${isBefore}
     ORDER BY effective_at DESC, account_version DESC LIMIT 1), 0)`;
}

/**
 * Entries of one account. A reversal that reverses no whole posting takes a part of a payroll back. PostgreSQL omits
 * the left join if no filter uses its columns.
 */
function postedTo(
  { type, ledgerAccountId }: OwnAccount,
  { settings, ownerId }: HistoryScope,
  status: 'all' | 'completed' | 'pending' = 'all',
): RawBuilder<unknown> {
  const isOfStatus = {
    all: sql`true`,
    completed: isNotInTransit(sql`entry.transaction_id`),
    pending: isInTransit(sql`entry.transaction_id`, ownerId),
  }[status];
  return sql`(
    SELECT entry.transaction_id::text || ${`.${type}`}::text AS id, entry.effective_at AS at,
           ${type}::text AS account_type, ${status}::text AS status,
           CASE WHEN one.kind = 'reversal'
                THEN coalesce((SELECT kind FROM ledger_transaction WHERE id = one.reverses_id),
                              'payroll')
                ELSE one.kind END AS listed_kind,
           ${words({
             description: postedAs(sql`one`, sql`entry`),
             type: sql`one.kind`,
             reference: sql`one.reference`,
             minor: sql`entry.amount`,
             currency: settings.currency,
           })}
             AS words
      FROM ledger_entry AS entry
      LEFT JOIN ledger_transaction AS one ON one.id = entry.transaction_id
     WHERE entry.account_id = ${ledgerAccountId} AND ${isOfStatus}) AS event`;
}

function unposted(kind: RequestKind, { ownerId, settings }: HistoryScope): RawBuilder<unknown> {
  const { description, table, type } = kind;
  return sql`(
    SELECT request.id::text || '.' || wallet.type AS id, request.requested_at AS at,
           wallet.type AS account_type, ${shownStatus(kind)} AS status,
           ${type}::text AS listed_kind,
           ${words({
             description,
             type: sql`${type}::text`,
             reference: sql`request.reference`,
             minor: sql`(request.amount_minor * ${sql.lit(kind.sign)})`,
             currency: settings.currency,
           })}
             AS words
      FROM ${sql.table(table)} AS request
      JOIN wallet ON wallet.id = request.wallet_id
     WHERE request.user_id = ${ownerId} AND request.ledger_transaction_id IS NULL) AS event`;
}

interface SearchedParts {
  description: RawBuilder<unknown>;
  /** One of `TRANSACTION_TYPES`, shown as the category of the row. */
  type: RawBuilder<unknown>;
  reference: RawBuilder<unknown>;
  /** Signed, from the person's side. */
  minor: RawBuilder<unknown>;
  currency: HistoryScope['settings']['currency'];
}

/**
 * SQL of the text that a search looks in: description, category in the plural, reference, and the
 * amount with its sign, with and without its commas.
 */
function words({
  description,
  type,
  reference,
  minor,
  currency,
}: SearchedParts): RawBuilder<string> {
  const sign = sql`CASE WHEN ${minor} < 0 THEN '-' ELSE '+' END`;
  const written = (form: string) => sql`to_char(abs(${minor}) / 100.0, ${form}::text)`;
  const category = sql`CASE ${type} ${sql.join(CATEGORY_WORDS, sql` `)} END`;
  return sql`(${comparable(description)} || ' ' || ${category} || ' ' || lower(${reference})
    || ' ' || ${sign} || ${currencySymbol(currency)}::text || ${written('FM999,999,999,999,999,990.00')}
    || ' ' || ${sign} || ${written('FM999999999999999990.00')})`;
}

/** Individual funding is payroll to the person, as on screen. */
const CATEGORY_WORDS = TRANSACTION_TYPES.map((type) => {
  const label = TRANSACTION_TYPE_LABELS[type === 'funding' ? 'payroll' : type];
  return sql`WHEN ${type}::text THEN ${`${label.toLowerCase()}s`}::text`;
});

/** The ledger's kinds of one category. A reversal is listed under the kind that it reverses. */
function kindsOf(category: TransactionCategory): string[] {
  return Object.entries(CATEGORY_OF)
    .filter(([, own]) => own === category)
    .map(([kind]) => kind);
}
