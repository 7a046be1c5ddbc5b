import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { TRANSACTION_TYPES } from '#contract/activity.ts';
import type { TransactionType } from '#contract/activity.ts';
import { personMatches } from '#server/db/search.ts';
import { endOfDay, startOfDay } from '../days.ts';
import { isInTransit, isNotInTransit, REQUEST_KINDS, unpostedStatuses } from '../request-kinds.ts';
import type { RequestKind } from '../request-kinds.ts';
import { paysAmount } from './scope.ts';
import {
  isOfFoundBatches,
  postedByText,
  postingHasText,
  readsAllPostings,
  requestHasText,
} from './text-sources.ts';
import type { LogFilter, LogScope } from './scope.ts';

/** Kinds of posting that bring a person money; a reversal and a recovery may do either. */
const BRINGS_MONEY: readonly TransactionType[] = ['payroll', 'deposit', 'funding'];

/**
 * Sources of the log, each with the same columns under the name `event`: id, at, type, status,
 * amount_minor without its sign, and signed_minor, from the person's side. If an index has all of a
 * source in the order of its time, its newest rows are read by it (docs/decisions/025). A column
 * that no query reads costs nothing.
 */
export function sourcesOf(filter: LogFilter, scope: LogScope): RawBuilder<unknown>[] {
  return [...postedSources(filter, scope), ...requestSources(filter, scope), NOTHING];
}

/** Sources of the postings that can pass a filter. */
export function postedSources(filter: LogFilter, scope: LogScope): RawBuilder<unknown>[] {
  const { status } = filter;
  if (status !== 'all' && status !== 'completed' && status !== 'pending') return [];
  const all = byNamedType(filter, scope).flatMap(([types, own]) => {
    const byText = hasText(own) && !isOwn(own) ? postedByText(types, own) : [];
    return [...byText, ...postedByPeople(types, own)];
  });
  if (status === 'all') return all;
  const isOfStatus =
    status === 'pending' ? isInTransit(sql`event.id`) : isNotInTransit(sql`event.id`);
  return all.map((source) => sql`(SELECT event.* FROM ${source} WHERE ${isOfStatus}) AS event`);
}

/**
 * The types that pass a filter, each with the scope to read it by. A type that the search names is
 * read without the search, so that none of its events is there twice.
 */
function byNamedType(
  { type }: Pick<LogFilter, 'type'>,
  scope: LogScope,
): [readonly TransactionType[], LogScope][] {
  const types = TRANSACTION_TYPES.filter((one) => type === 'all' || type === one);
  const { namedType } = scope;
  if (namedType === null) return [[types, scope]];
  const people = isOwn(scope) ? scope.people : null;
  const whole = { ...scope, people, words: null, others: null, text: null, hasFewOfAmount: false };
  const parts: [readonly TransactionType[], LogScope][] = [
    [types.filter((one) => one === namedType), whole],
    [types.filter((one) => one !== namedType), scope],
  ];
  return parts.filter(([some]) => some.length > 0);
}

function postedByPeople(types: readonly TransactionType[], scope: LogScope): RawBuilder<unknown>[] {
  const { people } = scope;
  if (readsAllPostings(scope)) return types.map((one) => postedOf(one, scope));
  if (people === null) return [postedByAmount(types, scope)];
  if (people.userIds.length === 0) return [];
  // Each of one person's few accounts is read by the index of its order; the entries of more are
  // sorted.
  const accounts = people.isOwnSide ? people.accountIds.map((id) => [id]) : [people.accountIds];
  return accounts.map((ids) => postedTo(ids, { types, scope }));
}

/** Sources of the requests that are not posted and can pass a filter. */
export function requestSources(
  filter: Pick<LogFilter, 'status' | 'type'>,
  scope: LogScope,
): RawBuilder<unknown>[] {
  return byNamedType(filter, scope).flatMap(([types, own]) =>
    requestsOfTypes(types, filter.status, own),
  );
}

function requestsOfTypes(
  types: readonly TransactionType[],
  status: LogFilter['status'],
  scope: LogScope,
): RawBuilder<unknown>[] {
  const isByStatus = scope.people === null && scope.ids === null;
  return REQUEST_KINDS.filter((kind) => types.includes(kind.type)).flatMap((kind) => {
    const statuses = unpostedStatuses(kind).filter(
      (own) => status === 'all' || kind.shownAs[own] === status,
    );
    // Each status has an index of its order.
    if (isByStatus && scope.text === null) {
      return statuses.map((own) => requestsOf(kind, [own], scope));
    }
    return statuses.length === 0 ? [] : [requestsOf(kind, statuses, scope)];
  });
}

function hasText(scope: LogScope): scope is LogScope & { text: string } {
  return scope.text !== null;
}

/** True if one person was chosen, whose side is shown. */
function isOwn({ people }: LogScope): boolean {
  return people?.isOwnSide === true;
}

/** A list without a source would not be a valid statement. */
const NOTHING = sql`(SELECT NULL::uuid AS id, now() AS at, '' AS type, '' AS status,
    0::bigint AS amount_minor, 0::bigint AS signed_minor WHERE false) AS event`;

function postedOf(type: TransactionType, scope: LogScope): RawBuilder<unknown> {
  const { ids, words, batches } = scope;
  const isFound = isOfAnyone(words, sql`one.id`);
  const isOfBatch = batches.some(({ kind }) => kind === type) && words !== null;
  const paid = sql`(SELECT -entry.amount FROM ledger_entry AS entry
                     WHERE entry.transaction_id = one.id AND entry.amount < 0)`;
  return sql`(
    SELECT one.id, one.effective_at AS at, ${type}::text AS type, 'completed' AS status,
           ${paid} AS amount_minor, ${signedOf(type, paid)} AS signed_minor
      FROM ledger_transaction AS one
     WHERE one.kind = ${type} AND ${type === 'reversal' ? IS_OF_PERSON : sql`true`}
       AND ${isOneOf('one', ids)}
       AND ${isOfBatch ? sql`(${isFound} OR ${isOfFoundBatches(scope)})` : isFound}) AS event`;
}

/** Condition that the posting, `one`, is of a person's account: the reversal of a settlement is not. */
const IS_OF_PERSON = sql`EXISTS (
  SELECT FROM ledger_entry AS entry JOIN ledger_account AS account ON account.id = entry.account_id
   WHERE entry.transaction_id = one.id AND account.owner_id IS NOT NULL)`;

/** True of a kind whose postings bring people money or take it from them. */
function isEither(type: TransactionType): boolean {
  return type === 'reversal' || type === 'recovery';
}

function signedOf(type: TransactionType, paid: RawBuilder<unknown>): RawBuilder<unknown> {
  if (!isEither(type)) return BRINGS_MONEY.includes(type) ? paid : sql`-${paid}`;
  return sql`(SELECT entry.amount FROM ledger_entry AS entry
                JOIN ledger_account AS account ON account.id = entry.account_id
               WHERE entry.transaction_id = one.id AND account.owner_id IS NOT NULL)`;
}

/** The planner cannot join by an aggregate, so it evaluates this for one posting after another. */
function isOfAnyone(words: string | null, id: RawBuilder<unknown>): RawBuilder<unknown> {
  if (words === null) return sql`true`;
  return sql`(SELECT bool_or(${personMatches(words)}) FROM ledger_entry AS entry
                JOIN wallet ON wallet.ledger_account_id = entry.account_id
                JOIN app_user ON app_user.id = wallet.user_id
               WHERE entry.transaction_id = ${id})`;
}

/** All postings of people by their paying entry, which has an index by amount. */
function postedByAmount(
  types: readonly TransactionType[],
  { bounds, words }: Pick<LogScope, 'bounds' | 'words'>,
): RawBuilder<unknown> {
  const bringsMoney = sql`(CASE WHEN one.kind IN ('reversal', 'recovery')
    THEN EXISTS (SELECT FROM ledger_account AS account
                  WHERE account.id = paid.account_id AND account.owner_id IS NULL)
    ELSE one.kind = ANY (${BRINGS_MONEY}::text[]) END)`;
  return sql`(
    SELECT paid.transaction_id AS id, paid.effective_at AS at, one.kind AS type,
           'completed' AS status, -paid.amount AS amount_minor,
           CASE WHEN ${bringsMoney} THEN -paid.amount ELSE paid.amount END AS signed_minor
      FROM (SELECT * FROM ledger_entry WHERE ${paysAmount(bounds)}) AS paid
      LEFT JOIN ledger_transaction AS one ON one.id = paid.transaction_id
     WHERE one.kind = ANY (${types}::text[]) AND (one.kind <> 'reversal' OR ${IS_OF_PERSON})
       AND ${isOfAnyone(words, sql`paid.transaction_id`)}) AS event`;
}

function isOfTypes(types: readonly TransactionType[]): RawBuilder<unknown> {
  return types.length === TRANSACTION_TYPES.length
    ? sql`true`
    : sql`one.kind = ANY (${types}::text[])`;
}

/**
 * Postings to some accounts. A posting between two of these accounts is there once, as the payer's.
 */
function postedTo(
  accountIds: readonly string[],
  { types, scope }: { types: readonly TransactionType[]; scope: LogScope },
): RawBuilder<unknown> {
  const { people, ids, text } = scope;
  const all = people?.accountIds ?? [];
  const isOwnSide = people?.isOwnSide ?? false;
  const isToOwn = sql`EXISTS (
    SELECT FROM ledger_entry AS other
     WHERE other.transaction_id = entry.transaction_id
       AND other.account_id = ANY (${all}::uuid[])
       AND other.account_id <> entry.account_id)`;
  const signed = isOwnSide
    ? sql`entry.amount`
    : sql`CASE one.kind WHEN 'transfer' THEN -abs(entry.amount) ELSE entry.amount END`;
  return sql`(
    SELECT entry.transaction_id AS id, entry.effective_at AS at, one.kind AS type,
           'completed' AS status, abs(entry.amount) AS amount_minor, ${signed} AS signed_minor
      FROM ledger_entry AS entry
      LEFT JOIN ledger_transaction AS one ON one.id = entry.transaction_id
     WHERE entry.account_id = ANY (${accountIds}::uuid[])
       AND ${ids === null ? sql`true` : sql`entry.transaction_id = ANY (${ids}::uuid[])`}
       AND ${isOfTypes(types)}
       AND ${isOwn(scope) && text !== null ? postingHasText(text) : sql`true`}
       AND NOT (entry.amount > 0 AND ${isToOwn})) AS event`;
}

/** Requests of the people that were found; with search words, also those that match them. */
function requestsOf(
  kind: RequestKind,
  statuses: readonly string[],
  scope: LogScope,
): RawBuilder<unknown> {
  const { table, type, sign, shownAs } = kind;
  const { people, words, ids, text } = scope;
  const isOfPeople =
    people === null ? sql`true` : sql`request.user_id = ANY (${people.userIds}::uuid[])`;
  const isOfWords =
    words === null
      ? sql`true`
      : sql`(SELECT ${personMatches(words)} FROM app_user WHERE app_user.id = request.user_id)`;
  const isOfPeopleFound = sql`(${isOfPeople} AND ${isOfWords})`;
  const textFound = text === null ? null : requestHasText(text);
  const isFound =
    textFound === null
      ? isOfPeopleFound
      : isOwn(scope)
        ? sql`(${isOfPeople} AND ${textFound})`
        : sql`(${textFound} OR ${isOfPeopleFound})`;
  return sql`(
    SELECT request.id, request.requested_at AS at, ${type}::text AS type,
           (${JSON.stringify(shownAs)}::jsonb ->> request.status) AS status,
           request.amount_minor, ${sign}::int * request.amount_minor AS signed_minor
      FROM ${sql.table(table)} AS request
     WHERE ${statuses.length === 1 ? sql`request.status = ${statuses[0]}` : sql`request.status = ANY (${statuses}::text[])`}
       AND request.ledger_transaction_id IS NULL
       AND ${isFound} AND ${isOneOf('request', ids)}) AS event`;
}

function isOneOf(name: 'one' | 'request', ids: readonly string[] | null): RawBuilder<unknown> {
  return ids === null ? sql`true` : sql`${sql.ref(`${name}.id`)} = ANY (${ids}::uuid[])`;
}

/** Conditions on every source; the other filters choose the sources. */
export const LOG_CONDITIONS = {
  from: (day: string, { settings }: LogScope) =>
    sql<boolean>`event.at >= ${startOfDay(day, settings.timeZone)}`,
  to: (day: string, { settings }: LogScope) =>
    sql<boolean>`event.at < ${endOfDay(day, settings.timeZone)}`,
  least: (minor: string) => sql<boolean>`event.amount_minor >= ${minor}::bigint`,
  most: (minor: string) => sql<boolean>`event.amount_minor <= ${minor}::bigint`,
};

/** Condition of an amount that was searched for, with its sign if it had one. */
export function isOfSearchedAmount({ amount }: LogScope): RawBuilder<boolean> {
  if (amount === null) return sql<boolean>`true`;
  const { minor, sign } = amount;
  const isOfSign = sign === null ? sql`true` : sql`sign(event.signed_minor) = ${sign}::int`;
  return sql<boolean>`(event.amount_minor = ${minor}::bigint AND ${isOfSign})`;
}
