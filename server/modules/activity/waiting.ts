import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { RouteReply } from '#contract/api.ts';
import { MOST_WAITING, WAITING_KINDS } from '#contract/waiting.ts';
import type { WaitingKind } from '#contract/waiting.ts';
import type { Reader } from '#server/db/tx.ts';
import { mayBeSecond, readDuties, thresholdInForce } from '#server/modules/security/index.ts';
import type { Duties } from '#server/modules/security/index.ts';
import { unfinishedBatches } from './unfinished-batches.ts';

type Waiting = RouteReply<'adminListWaiting'>;

/** What waits of one kind, one row each: since when, and whether another admin has to decide it. */
type Queue = RawBuilder<unknown>;

/**
 * What waits for a decision, by kind: how much of it the admin may decide who asks, and how much takes
 * another one by the rules in force. Only who may decide is looked at: a payout that is frozen or
 * cools off waits, too.
 */
export async function listWaiting(reader: Reader, actorId: string): Promise<Waiting> {
  const duties = await readDuties(reader);
  const queues = queuesFor(actorId, duties);
  const counted = WAITING_KINDS.map(
    (kind) => sql`
      SELECT ${kind} AS kind, count(*) FILTER (WHERE NOT is_others)::int AS mine,
             count(*) FILTER (WHERE is_others)::int AS others,
             min(since) FILTER (WHERE NOT is_others) AS oldest_at
        FROM (${queues[kind]} LIMIT ${MOST_WAITING}) AS queue`,
  );
  const { rows } = await sql<{
    kind: WaitingKind;
    mine: number;
    others: number;
    oldestAt: Date | null;
  }>`${sql.join(counted, sql` UNION ALL `)}`.execute(reader);
  const waiting = rows.filter(({ mine, others }) => mine + others > 0);
  const hasBatches = waiting.some(({ kind }) => kind === 'payrolls' || kind === 'fundings');
  return {
    items: waiting.map(({ oldestAt, ...row }) => ({
      ...row,
      oldestAt: oldestAt?.toISOString() ?? null,
    })),
    batches: hasBatches ? await unfinishedBatches(reader, actorId, { isForApproval: true }) : [],
  };
}

function queuesFor(actorId: string, duties: Duties): Record<WaitingKind, Queue> {
  const me = sql`${actorId}::uuid`;
  const canBeSecond = mayBeSecond(duties, actorId);
  /** True if a second step is another's: the first was theirs, or they cannot be a second person yet. */
  const isOthers = (doneBy: RawBuilder<unknown>) =>
    canBeSecond ? sql`coalesce(${doneBy} = ${me}, false)` : sql`${doneBy} IS NOT NULL`;
  /** Whether two people are asked for that much of this duty. */
  const isSeparated = (duty: Parameters<typeof thresholdInForce>[1]) =>
    sql`coalesce(request.amount_minor >= ${thresholdInForce(duties, duty)}::bigint, false)`;
  const isPayoutAgain = sql`(${isSeparated('return')} AND ${isOthers(sql`(${LAST_RETURN_BY})`)})`;
  const batches = (kind: RawBuilder<unknown>) => sql`
    SELECT created_at AS since, coalesce(
             total_minor >= ${thresholdInForce(duties, 'payroll')}::bigint, false)
             AND ${isOthers(sql`created_by`)} AS is_others
      FROM payroll_batch
     WHERE status = 'pending' AND needs_approval AND approved_at IS NULL AND ${kind}`;
  const requests = (
    table: string,
    since: string,
    status: string,
    another: RawBuilder<unknown>,
  ) => sql`
    SELECT ${sql.ref(since)} AS since, user_id = ${me} OR ${another} AS is_others
      FROM ${sql.table(table)} AS request WHERE status = ${status} ORDER BY ${sql.ref(since)}`;
  const withdrawals = (status: string, another: RawBuilder<unknown>) =>
    requests('withdrawal', 'requested_at', status, another);
  return {
    securityRules: sql`
      SELECT proposed_at AS since, ${isOthers(sql`proposed_by`)} AS is_others
        FROM security_proposal WHERE outcome IS NULL`,
    payrolls: batches(sql`funding_type IS NULL`),
    fundings: batches(sql`funding_type IS NOT NULL`),
    payoutsToApprove: withdrawals(
      'pending',
      // As approveWithdrawal refuses it.
      sql`(${isSeparated('bankAccount')} AND EXISTS (
             SELECT FROM bank_account
              WHERE bank_account.id = request.bank_account_id
                AND ${isOthers(sql`decided_by`)}))
          OR (${isSeparated('bankAccount')} AND EXISTS (
             SELECT FROM app_user AS owner
              WHERE owner.id = request.user_id AND ${isOthers(sql`owner.email_set_by`)}))
          OR ${isPayoutAgain}`,
    ),
    payoutsToSend: withdrawals('approved', sql`false`),
    payoutsToComplete: withdrawals(
      'processing',
      sql`(${isSeparated('payout')} AND ${isOthers(sql`approved_by`)})`,
    ),
    // As sendBill and completeBill refuse it.
    billsToSend: requests(
      'bill',
      'taken_at',
      'due',
      sql`${isPayoutAgain} OR (${isSeparated('bankAccount')} AND EXISTS (
            SELECT FROM app_user AS owner
             WHERE owner.id = request.user_id AND ${isOthers(sql`owner.email_set_by`)}))`,
    ),
    billsToComplete: requests(
      'bill',
      'sent_at',
      'sent',
      sql`(${isSeparated('payout')} AND ${isOthers(sql`sent_by`)})`,
    ),
    bankAccounts: sql`
      SELECT submitted_at AS since, user_id = ${me} AS is_others
        FROM bank_account WHERE status = 'pending' AND removed_at IS NULL ORDER BY submitted_at`,
    deposits: sql`
      SELECT requested_at AS since, user_id = ${me} AS is_others
        FROM deposit WHERE status = 'pending' ORDER BY requested_at`,
    identities: sql`
      SELECT submitted_at AS since, user_id = ${me} AS is_others
        FROM kyc_review_item WHERE review_status IN ('submitted', 'in_review')
       ORDER BY submitted_at`,
    applicants: sql`
      SELECT created_at AS since, id = ${me} AS is_others
        FROM app_user
       WHERE role = 'employee' AND accepted_at IS NULL AND deactivated_at IS NULL`,
    questions: sql`
      SELECT asked_at AS since, user_id = ${me} AS is_others
        FROM question WHERE answered_at IS NULL ORDER BY asked_at`,
    payoutsFrozen: sql`
      SELECT payouts_frozen_at AS since, id = ${me} AS is_others
        FROM app_user WHERE payouts_frozen_at IS NOT NULL AND is_employee`,
  };
}

const returned = (table: string) => sql`
  SELECT closed_by, closed_at FROM ${sql.table(table)} AS returned
   WHERE returned.user_id = request.user_id
     AND returned.status = 'returned' AND returned.closed_at <= request.requested_at`;

/**
 * SQL of the admin who booked the last return of a payout of the owner of `request` before it, as
 * `lastReturnBooker` answers for one request; null where nothing was returned.
 */
const LAST_RETURN_BY = sql`
  SELECT closed_by FROM (${returned('withdrawal')} UNION ALL ${returned('bill')}) AS payout
   ORDER BY closed_at DESC LIMIT 1`;
