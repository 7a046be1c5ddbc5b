import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { TransactionType } from '#contract/activity.ts';
import { hasWords, hasWordsNow, personMatches } from '#server/db/search.ts';
import { REQUEST_KINDS } from '../request-kinds.ts';
import type { RequestKind } from '../request-kinds.ts';
import type { LogBatch } from './find-batches.ts';
import type { LogScope } from './scope.ts';

/** Scope of a search that has words. */
type TextScope = LogScope & { text: string };

/**
 * Postings whose reference or description matches a search, without those of the people whom the
 * same words find, because the people's own sources list these. Requests and payments are found by
 * their trigram indexes. A payroll matches by the words of its batch, whose lines lie between two
 * moments. Where many people are found, all newest lines are read for them, and those of the batches with them.
 */
export function postedByText(
  types: readonly TransactionType[],
  scope: TextScope,
): RawBuilder<unknown>[] {
  const has = (type: TransactionType) => types.includes(type);
  const requests = REQUEST_KINDS.filter(({ type }) => has(type));
  return [
    ...requests.map((kind) => postedRequests(kind, scope)),
    ...(has('reversal') ? REQUEST_KINDS.map((kind) => returnedRequests(kind, scope)) : []),
    ...(has('transfer') ? [payments(scope)] : []),
    ...(has('move') ? [moves(scope)] : []),
    ...(readsAllPostings(scope) ? [] : scope.batches.map((batch) => linesOf(batch, types, scope))),
    ...(has('reversal') ? [reversals(scope), reversalsOfBatches(scope)] : []),
    ...(has('recovery') ? [recoveries(scope)] : []),
  ];
}

/**
 * Condition that a row named `request`, of any status, matches a search. `TXN-6180` is searched as
 * `-6180`, because the posting of a request has the request's number.
 */
export function requestHasText(text: string): RawBuilder<boolean> {
  return hasWords(sql`request.search_words`, text.replace(/^txn(?=-)/i, ''));
}

/** True if the newest postings of everybody are read until enough of them match: many people are found. */
export function readsAllPostings({ people, hasFewOfAmount }: LogScope): boolean {
  return people === null && !hasFewOfAmount;
}

/**
 * Condition that the posting, `one`, is a line of the batches that a search finds, evaluated for one posting after another:
 * of an EXISTS, the planner would read all their lines first.
 */
export function isOfFoundBatches(scope: LogScope): RawBuilder<unknown> {
  return sql`(SELECT ${isOfBatches(scope)} AND ${isOfPrefix(scope)} FROM payroll_line AS line
               WHERE line.id = one.subject_id)`;
}

/** Condition that a posting, `one`, matches a search. */
export function postingHasText(text: string): RawBuilder<boolean> {
  return hasWordsNow(sql`one.description || ' ' || one.reference`, text);
}

/**
 * Condition that the posting, `one`, of a reversal matches a search as the reversal does. The two postings of a request
 * match by the same words. A reversal of a payroll's `line` has words of its own, which the payment has not.
 */
export function originalHasText(scope: LogScope): RawBuilder<unknown> {
  const { text, namedType, people } = scope;
  if (text === null) return sql`true`;
  const isNamed = sql`one.kind = ${namedType}`;
  if (people?.isOwnSide === true) return sql`(${isNamed} OR ${postingHasText(text)})`;
  return sql`(line.id IS NULL OR ${isNamed} OR NOT ${isOfNobodyFound(sql`line.user_id`, scope)}
    OR ${isOfBatches(scope)} AND ${isOfPrefix(scope)})`;
}

/** Condition that a person is none of those whom the search finds. */
export function isOfNobodyFound(
  userId: RawBuilder<unknown>,
  { people, words, others }: LogScope,
): RawBuilder<unknown> {
  if (others !== null) return sql`${userId} = ANY (${others}::uuid[])`;
  if (words !== null) {
    return sql`NOT (SELECT ${personMatches(words)} FROM app_user WHERE app_user.id = ${userId})`;
  }
  if (people === null || people.userIds.length === 0) return sql`true`;
  return sql`${userId} <> ALL (${people.userIds}::uuid[])`;
}

/**
 * Completed events of the rows of a table, `request`, each with its posting, `one`: of its type, or the reversal of that.
 * The type follows from the table. It is named so that many found requests are read by the index of kind and time.
 */
function settledRows(
  table: string,
  { signed, type }: { signed: RawBuilder<unknown>; type: TransactionType },
  where: RawBuilder<unknown>,
): RawBuilder<unknown> {
  return sql`(
    SELECT one.id, one.effective_at AS at, one.kind AS type, 'completed' AS status,
           request.amount_minor, ${signed} * request.amount_minor AS signed_minor
      FROM ${sql.table(table)} AS request
      JOIN ledger_transaction AS one
        ON ${type === 'reversal' ? sql`one.reverses_id` : sql`one.id`} = request.ledger_transaction_id
     WHERE one.kind = ${type} AND ${where}) AS event`;
}

function ofRequests(scope: TextScope): RawBuilder<unknown> {
  return sql`${requestHasText(scope.text)} AND ${isOfNobodyFound(sql`request.user_id`, scope)}`;
}

function postedRequests({ table, type, sign }: RequestKind, scope: TextScope): RawBuilder<unknown> {
  return settledRows(table, { signed: sql`${sign}::int`, type }, ofRequests(scope));
}

/** Reversals of payouts that came back. */
function returnedRequests({ table, sign }: RequestKind, scope: TextScope): RawBuilder<unknown> {
  return settledRows(table, { signed: sql`-${sign}::int`, type: 'reversal' }, ofRequests(scope));
}

function payments(scope: TextScope): RawBuilder<unknown> {
  const where = sql`${hasWords(sql`request.search_words`, scope.text)}
       AND ${isOfNobodyFound(sql`request.payer_id`, scope)}
       AND ${isOfNobodyFound(sql`request.recipient_id`, scope)}`;
  return settledRows('person_payment', { signed: sql`-1`, type: 'transfer' }, where);
}

function moves(scope: TextScope): RawBuilder<unknown> {
  const where = sql`${hasWords(sql`request.search_words`, scope.text)}
       AND ${isOfNobodyFound(sql`request.user_id`, scope)}`;
  return settledRows('wallet_move', { signed: sql`-1`, type: 'move' }, where);
}

/** Paid lines of a batch, newest first, by the index of their kind and time. */
function linesOf(
  { id, kind, startedAt, endedAt }: LogBatch,
  types: readonly TransactionType[],
  scope: TextScope,
): RawBuilder<unknown> {
  const isEnded = endedAt === null ? sql`true` : sql`one.effective_at <= ${endedAt}`;
  return sql`(
    SELECT one.id, one.effective_at AS at, one.kind AS type, 'completed' AS status,
           line.amount_minor, line.amount_minor AS signed_minor
      FROM ledger_transaction AS one
      JOIN payroll_line AS line ON line.id = one.subject_id AND line.batch_id = ${id}
     WHERE one.kind = ${kind} AND one.kind = ANY (${types}::text[])
       AND one.effective_at >= ${startedAt} AND ${isEnded} AND ${isOfPrefix(scope)}
       AND ${isOfNobodyFound(sql`line.user_id`, scope)}) AS event`;
}

/** Reversals of lines by their reason and the words to the employee, but those of the batches that were found. */
function reversals(scope: TextScope): RawBuilder<unknown> {
  return takenBack(
    sql`${hasWords(sql`taken.search_words`, scope.text)} AND NOT ${isOfBatches(scope)}`,
    scope,
  );
}

/** Reversals of the lines of the batches that were found. Their references begin with those of the lines. */
function reversalsOfBatches(scope: TextScope): RawBuilder<unknown> {
  return takenBack(
    sql`${isOfBatches(scope)} AND line.reversed_minor > 0 AND ${isOfPrefix(scope)}`,
    scope,
  );
}

function isOfBatches({ batches }: Pick<LogScope, 'batches'>): RawBuilder<unknown> {
  return sql`line.batch_id = ANY (${batches.map(({ id }) => id)}::uuid[])`;
}

function takenBack(isFound: RawBuilder<unknown>, scope: TextScope): RawBuilder<unknown> {
  return sql`(
    SELECT one.id, one.effective_at AS at, one.kind AS type, 'completed' AS status,
           taken.amount_minor, -taken.amount_minor AS signed_minor
      FROM payroll_reversal AS taken
      JOIN payroll_line AS line ON line.id = taken.line_id
      JOIN ledger_transaction AS one ON one.id = taken.ledger_transaction_id
     WHERE ${isFound} AND ${isOfNobodyFound(sql`line.user_id`, scope)}) AS event`;
}

/** Instalments of recoveries, and those that were given back, by their reference and description. There are few. */
function recoveries(scope: TextScope): RawBuilder<unknown> {
  const isGivenBack = sql`one.id = taken.given_back_transaction_id`;
  return sql`(
    SELECT one.id, one.effective_at AS at, one.kind AS type, 'completed' AS status, taken.amount_minor,
           CASE WHEN ${isGivenBack} THEN taken.amount_minor ELSE -taken.amount_minor END AS signed_minor
      FROM recovery_instalment AS taken
      JOIN payroll_line AS line ON line.id = taken.line_id
      JOIN ledger_transaction AS one
        ON one.id IN (taken.ledger_transaction_id, taken.given_back_transaction_id)
     WHERE ${postingHasText(scope.text)} AND ${isOfNobodyFound(sql`line.user_id`, scope)}) AS event`;
}

/** Condition on the reference of `one`, which begins with that of its line. All batches have the same prefix. */
function isOfPrefix({ batches }: Pick<LogScope, 'batches'>): RawBuilder<unknown> {
  const prefix = batches[0]?.linePrefix ?? null;
  return prefix === null ? sql`true` : sql`one.reference LIKE ${`${prefix}%`}`;
}
