import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { TRANSACTION_TYPE_LABELS, TRANSACTION_TYPES } from '#contract/activity.ts';
import type { TransactionType } from '#contract/activity.ts';
import type { FilterOf } from '#contract/list.ts';
import type { transactionList } from '#contract/lists.ts';
import { findPeople } from '#server/db/search.ts';
import { readSearchedAmount } from '#server/db/searched-amount.ts';
import type { SearchedAmount } from '#server/db/searched-amount.ts';
import type { Reader } from '#server/db/tx.ts';
import { readSettings } from '#server/modules/settings/index.ts';
import type { CompanySettings } from '#server/modules/settings/index.ts';
import { REQUEST_KINDS } from '../request-kinds.ts';
import { findBatches } from './find-batches.ts';

export type LogFilter = FilterOf<typeof transactionList>;

/** People whose events are read one by one; of more, the newest of all are read until enough are theirs. */
const FEW_PEOPLE = 250;
/** So many postings of an amount are read and sorted. */
const FEW_POSTINGS = 300_000;

/** What is known of a filter before the log is read by it: which way of reading it is short. */
export interface LogScope {
  settings: CompanySettings;
  /** Whose events alone, if of few people. */
  people: LogPeople | null;
  /** What the people are searched for, if many match. */
  words: string | null;
  /** Text searched in references and descriptions; null if there is none. */
  text: string | null;
  /** The type whose name was searched for: all of it is found. Null if the text names none. */
  namedType: TransactionType | null;
  /** The batches that have the text, the newest first. */
  batches: readonly LogBatch[];
  /** True if more batches have the text than are read. */
  isBatchesCut: boolean;
  /** The amounts of the filter, or the one that was searched for. */
  bounds: Amounts;
  /** The amount that was searched for; null where none was. */
  amount: SearchedAmount | null;
  /** Which postings and requests alone, if a reference was searched for. */
  ids: readonly string[] | null;
  /** Whether the filter by amount leaves few postings, which are then found by their amount. */
  hasFewOfAmount: boolean;
}

interface LogPeople {
  userIds: readonly string[];
  /** All they have or had. */
  accountIds: readonly string[];
  /** One person alone was chosen, and what is shown is their side. */
  isOwnSide: boolean;
}

/** A payroll or a funding whose lines are in the log. */
export interface LogBatch {
  id: string;
  /** The kind of its postings. */
  kind: string;
  /** Its lines were posted between these moments; null while it is being paid. */
  startedAt: Date;
  endedAt: Date | null;
  /** Only the lines whose references begin so; null for all. */
  linePrefix: string | null;
}

/**
 * Reads which way is short. People and amounts are looked up by their indexes, each up to a number that
 * can be read one by one, so that neither a rare name nor a rare amount reads past millions of others.
 */
export async function logScope(reader: Reader, filter: LogFilter): Promise<LogScope> {
  const settings = await readSettings(reader);
  const everything: LogScope = {
    settings,
    people: null,
    words: null,
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
  const wanted = search === '' ? undefined : { text: search, most: FEW_PEOPLE + 1 };
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
    ...{ search, from: filter.from, to: filter.to },
    timeZone: settings.timeZone,
  });
  const namedType = typeNamed(search);
  const searched = { ...everything, text: search, namedType, batches, isBatchesCut: isCut };
  if (found.length <= FEW_PEOPLE) {
    return { ...searched, people: await peopleOf(reader, found, false) };
  }
  return {
    ...searched,
    words: search,
    hasFewOfAmount: await isFewByAmount(reader, everything.bounds),
  };
}

/** The type that a search names, in the singular or the plural: "deposits". Null if it names none. */
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

/** What has this reference, as a whole: a posting, a request, and the posting of that request. */
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

/** Whether a filter by amount, if there is one, leaves few postings. */
async function isFewByAmount(reader: Reader, { least, most }: Amounts): Promise<boolean> {
  if (least === '' && most === '') return false;
  const { rows } = await sql<{ count: bigint }>`
    SELECT count(*) AS count FROM (
      SELECT FROM ledger_entry
       WHERE ${paysAmount({ least, most })} LIMIT ${FEW_POSTINGS + 1}) AS found`.execute(reader);
  return Number(rows[0]?.count ?? 0n) <= FEW_POSTINGS;
}

type Amounts = Pick<LogFilter, 'least' | 'most'>;

/** That an entry pays such an amount, as its index has it: what is paid is below zero. */
export function paysAmount({ least, most }: Amounts): RawBuilder<boolean> {
  return sql<boolean>`amount < 0
    AND ${least === '' ? sql`true` : sql`amount <= -${least}::bigint`}
    AND ${most === '' ? sql`true` : sql`amount >= -${most}::bigint`}`;
}
