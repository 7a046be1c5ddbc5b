import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { TransactionType } from '#contract/activity.ts';
import { hasWords, hasWordsNow, personMatches } from '#server/db/search.ts';
import { REQUEST_KINDS } from '../request-kinds.ts';
import type { RequestKind } from '../request-kinds.ts';
import type { LogBatch, LogScope } from './scope.ts';

/** Scope of a search that has words. */
type TextScope = LogScope & { text: string };

/**
 * Postings whose reference or description matches a search, without those of the people whom the
 * same words find, because the people's own sources list these. Requests and payments are found by
 * their trigram indexes. A payroll matches by the words of its batch, whose lines lie between two
 * moments.
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
    ...scope.batches.map((batch) => linesOf(batch, types, scope)),
  ];
}

/**
 * Condition that a row named `request`, of any status, matches a search. `TXN-6180` is searched as
 * `-6180`, because the posting of a request has the request's number.
 */
export function requestHasText(text: string): RawBuilder<boolean> {
  return hasWords(sql`request.search_words`, text.replace(/^txn(?=-)/i, ''));
}

/** Condition that a posting, `one`, matches a search. */
export function postingHasText(text: string): RawBuilder<boolean> {
  return hasWordsNow(sql`one.description || ' ' || one.reference`, text);
}

/** Condition that a person is none of those whom the search finds. */
export function isOfNobodyFound(
  userId: RawBuilder<unknown>,
  { people, words }: LogScope,
): RawBuilder<unknown> {
  if (words !== null) {
    return sql`NOT (SELECT ${personMatches(words)} FROM app_user WHERE app_user.id = ${userId})`;
  }
  if (people === null || people.userIds.length === 0) return sql`true`;
  return sql`${userId} <> ALL (${people.userIds}::uuid[])`;
}

function postedRequests(kind: RequestKind, scope: TextScope): RawBuilder<unknown> {
  return sql`(
    SELECT one.id, one.effective_at AS at, one.kind AS type, 'completed' AS status,
           request.amount_minor, ${kind.sign}::int * request.amount_minor AS signed_minor
      FROM ${sql.table(kind.table)} AS request
      JOIN ledger_transaction AS one ON one.id = request.ledger_transaction_id
     WHERE ${requestHasText(scope.text)}
       AND ${isOfNobodyFound(sql`request.user_id`, scope)}) AS event`;
}

/** Reversals of payouts that came back. */
function returnedRequests(kind: RequestKind, scope: TextScope): RawBuilder<unknown> {
  return sql`(
    SELECT one.id, one.effective_at AS at, one.kind AS type, 'completed' AS status,
           request.amount_minor, -${kind.sign}::int * request.amount_minor AS signed_minor
      FROM ${sql.table(kind.table)} AS request
      JOIN ledger_transaction AS one ON one.reverses_id = request.ledger_transaction_id
     WHERE ${requestHasText(scope.text)}
       AND ${isOfNobodyFound(sql`request.user_id`, scope)}) AS event`;
}

function payments(scope: TextScope): RawBuilder<unknown> {
  return sql`(
    SELECT one.id, one.effective_at AS at, one.kind AS type, 'completed' AS status,
           payment.amount_minor, -payment.amount_minor AS signed_minor
      FROM person_payment AS payment
      JOIN ledger_transaction AS one ON one.id = payment.ledger_transaction_id
     WHERE ${hasWords(sql`payment.search_words`, scope.text)}
       AND ${isOfNobodyFound(sql`payment.payer_id`, scope)}
       AND ${isOfNobodyFound(sql`payment.recipient_id`, scope)}) AS event`;
}

function moves(scope: TextScope): RawBuilder<unknown> {
  return sql`(
    SELECT one.id, one.effective_at AS at, one.kind AS type, 'completed' AS status,
           move.amount_minor, -move.amount_minor AS signed_minor
      FROM wallet_move AS move
      JOIN ledger_transaction AS one ON one.id = move.ledger_transaction_id
     WHERE ${hasWords(sql`move.search_words`, scope.text)}
       AND ${isOfNobodyFound(sql`move.user_id`, scope)}) AS event`;
}

/** Paid lines of a batch, newest first, by the index of their kind and time. */
function linesOf(
  { id, kind, startedAt, endedAt, linePrefix }: LogBatch,
  types: readonly TransactionType[],
  scope: TextScope,
): RawBuilder<unknown> {
  const isEnded = endedAt === null ? sql`true` : sql`one.effective_at <= ${endedAt}`;
  const isOfLine = linePrefix === null ? sql`true` : sql`one.reference LIKE ${`${linePrefix}%`}`;
  return sql`(
    SELECT one.id, one.effective_at AS at, one.kind AS type, 'completed' AS status,
           line.amount_minor, line.amount_minor AS signed_minor
      FROM ledger_transaction AS one
      JOIN payroll_line AS line ON line.id = one.subject_id AND line.batch_id = ${id}
     WHERE one.kind = ${kind} AND one.kind = ANY (${types}::text[])
       AND one.effective_at >= ${startedAt} AND ${isEnded} AND ${isOfLine}
       AND ${isOfNobodyFound(sql`line.user_id`, scope)}) AS event`;
}
