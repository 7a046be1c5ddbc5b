import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { TRANSACTION_TYPE_LABELS, TRANSACTION_TYPES } from '#contract/activity.ts';
import type { TransactionType } from '#contract/activity.ts';
import type { FilterOf } from '#contract/list.ts';
import type { transactionList } from '#contract/lists.ts';
import { findOtherPeople, findPeople } from '#server/db/search.ts';
import { readSearchedAmount } from '#server/db/searched-amount.ts';
import type { SearchedAmount } from '#server/db/searched-amount.ts';
import type { Reader } from '#server/db/tx.ts';
import { readSettings } from '#server/modules/settings/index.ts';
import type { CompanySettings } from '#server/modules/settings/index.ts';
import { REQUEST_KINDS } from '../request-kinds.ts';
import { findBatches } from './find-batches.ts';
import type { LogBatch } from './find-batches.ts';

export type LogFilter = FilterOf<typeof transactionList>;

/**
 * Up to this many people's events are read by person. For more people, the newest events of all are
 * read until enough of them match, unless the people are so few of all that this would read past too many.
 */
const FEW_PEOPLE = 250;
const MOST_OF_FEW = 2_500;
const RARE_PER_PERSON = 1 / 400;
/** Up to this many people whom a search does not find have their rows read by person. */
const FEW_OTHERS = 5_000;
/** Maximum number of postings of an amount that are read and sorted. */
const FEW_POSTINGS = 300_000;

/** Facts about a filter, read before the log, that decide which way of reading it is short. */
export interface LogScope {
  settings: CompanySettings;
  /** People to whom the events are limited, if they are few. */
  people: LogPeople | null;
  /** Search words for people, if many match. */
  words: string | null;
  /** The people whom these words do not find, if those are few: "a" may find everybody. */
  others: readonly string[] | null;
  /** Text searched in references and descriptions; null if there is none. */
  text: string | null;
  /** Type whose name was searched for; all its events match. Null if the text names none. */
  namedType: TransactionType | null;
  /** Batches that match the text, newest first. */
  batches: readonly LogBatch[];
  /** True if more batches match the text than are read. */
  isBatchesCut: boolean;
  /** Amounts of the filter, or the one that was searched for. */
  bounds: Amounts;
  /** Amount that was searched for; null if none was. */
  amount: SearchedAmount | null;
  /** Ids of the only postings and requests that match, if a reference was searched for. */
  ids: readonly string[] | null;
  /** True if the filter by amount leaves few postings, which are then found by their amount. */
  hasFewOfAmount: boolean;
}

interface LogPeople {
  userIds: readonly string[];
  /** All accounts they have or had. */
  accountIds: readonly string[];
  /** True if one person was chosen and rows are shown from their side. */
  isOwnSide: boolean;
}

/**
 * Decides which way of reading is short. People and amounts are looked up by their indexes, up to a
 * number that can be read one by one. So neither a rare name nor a rare amount reads past millions
 * of other rows.
 */
export async function logScope(reader: Reader, filter: LogFilter): Promise<LogScope> {
  const settings = await readSettings(reader);
  const everything: LogScope = {
    settings,
    people: null,
    words: null,
    others: null,
    text: null,
    namedType: null,
    batches: [],
    isBatchesCut: false,
    bounds: { least: filter.least, most: filter.most },
    amount: null,
    ids: null,
    hasFewOfAmount: false,
  };
  const { person } = filter;
  const amount = readSearchedAmount(filter.search);
  if (amount !== null) return scopeOfAmount(reader, { everything, person, amount });
  const { search } = filter;
  const referenced = search === '' ? [] : await findReferenced(reader, search);
  if (referenced.length > 0) {
    const people = person === '' ? null : await peopleOf(reader, [person], true);
    return { ...everything, people, ids: referenced };
  }
  const wanted = search === '' ? undefined : { text: search, most: MOST_OF_FEW + 1 };
  if (person !== '') {
    const isNamed = wanted === undefined || (await findPeople(reader, wanted, person)).length > 0;
    const people = await peopleOf(reader, [person], true);
    const namedType = isNamed ? null : typeNamed(search);
    return { ...everything, people, text: isNamed ? null : search, namedType };
  }
  if (wanted === undefined) {
    return { ...everything, hasFewOfAmount: await isFewByAmount(reader, everything.bounds) };
  }
  const found = await findPeople(reader, wanted);
  const { batches, isCut } = await findBatches(reader, {
    search,
    from: filter.from,
    to: filter.to,
    timeZone: settings.timeZone,
  });
  const namedType = typeNamed(search);
  const searched = { ...everything, text: search, namedType, batches, isBatchesCut: isCut };
  if (found.length <= FEW_PEOPLE || (await areRare(reader, found.length))) {
    return { ...searched, people: await peopleOf(reader, found, false) };
  }
  const others = await findOtherPeople(reader, { text: search, most: FEW_OTHERS + 1 });
  return {
    ...searched,
    words: search,
    others: others.length <= FEW_OTHERS ? others : null,
    hasFewOfAmount: await isFewByAmount(reader, everything.bounds),
  };
}

/** True for people who are few of all, of whom the statistics know the number. */
async function areRare(reader: Reader, count: number): Promise<boolean> {
  if (count > MOST_OF_FEW) return false;
  const { rows } = await sql<{ people: number }>`
    SELECT reltuples AS people FROM pg_class WHERE oid = 'app_user'::regclass`.execute(reader);
  return count < (rows[0]?.people ?? 0) * RARE_PER_PERSON;
}

/** Type that a search names, in the singular or the plural: "deposits". Null if it names none. */
function typeNamed(search: string): TransactionType | null {
  const name = search.trim().toLowerCase();
  const isNamed = (type: TransactionType) => {
    const label = TRANSACTION_TYPE_LABELS[type].toLowerCase();
    return name === label || name === `${label}s`;
  };
  return TRANSACTION_TYPES.find(isNamed) ?? null;
}

async function scopeOfAmount(
  reader: Reader,
  { everything, person, amount }: { everything: LogScope; person: string; amount: SearchedAmount },
): Promise<LogScope> {
  const { minor } = amount;
  const scope = { ...everything, amount, bounds: { least: minor, most: minor } };
  return person === ''
    ? { ...scope, hasFewOfAmount: await isFewByAmount(reader, scope.bounds) }
    : { ...scope, people: await peopleOf(reader, [person], true) };
}

async function peopleOf(
  reader: Reader,
  userIds: readonly string[],
  isOwnSide: boolean,
): Promise<LogPeople> {
  const { rows } = await sql<{ ledgerAccountId: string }>`
    SELECT ledger_account_id FROM wallet WHERE user_id = ANY (${userIds}::uuid[])`.execute(reader);
  return { userIds, accountIds: rows.map(({ ledgerAccountId }) => ledgerAccountId), isOwnSide };
}

/**
 * Ids of the posting or request with this reference, as a whole, and of the posting of that
 * request.
 */
async function findReferenced(reader: Reader, search: string): Promise<string[]> {
  const reference = search.toUpperCase();
  const ofRequests = REQUEST_KINDS.map(
    ({ table }) => sql`SELECT coalesce(ledger_transaction_id, id) FROM ${sql.table(table)}
      WHERE reference = ${reference}`,
  );
  const { rows } = await sql<{ id: string }>`
    SELECT id FROM ledger_transaction WHERE reference = ${reference}
    UNION ${sql.join(ofRequests, sql` UNION `)}`.execute(reader);
  return rows.map(({ id }) => id);
}

/** True if a filter by amount, if there is one, leaves few postings. */
async function isFewByAmount(reader: Reader, { least, most }: Amounts): Promise<boolean> {
  if (least === '' && most === '') return false;
  const { rows } = await sql<{ count: bigint }>`
    SELECT count(*) AS count FROM (
      SELECT FROM ledger_entry
       WHERE ${paysAmount({ least, most })} LIMIT ${FEW_POSTINGS + 1}) AS found`.execute(reader);
  return Number(rows[0]?.count ?? 0n) <= FEW_POSTINGS;
}

type Amounts = Pick<LogFilter, 'least' | 'most'>;

/**
 * Condition that an entry pays such an amount, in the form of its index: an amount paid is
 * negative.
 */
export function paysAmount({ least, most }: Amounts): RawBuilder<boolean> {
  return sql<boolean>`amount < 0
    AND ${least === '' ? sql`true` : sql`amount <= -${least}::bigint`}
    AND ${most === '' ? sql`true` : sql`amount >= -${most}::bigint`}`;
}
