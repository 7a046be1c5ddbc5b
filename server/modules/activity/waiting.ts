import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { RouteReply } from '#contract/api.ts';
import { MOST_WAITING, WAITING_KINDS } from '#contract/waiting.ts';
import type { WaitingKind } from '#contract/waiting.ts';
import type { Reader } from '#server/db/tx.ts';
import { recentInviter, thresholdOf } from '#server/modules/security/index.ts';
import { readSettings } from '#server/modules/settings/index.ts';
import type { CompanySettings } from '#server/modules/settings/index.ts';

type Waiting = RouteReply<'adminListWaiting'>;

/** What waits of one kind, one row each: since when, and whether another admin has to decide it. */
type Queue = RawBuilder<unknown>;

/**
 * What waits for a decision, by kind: how much of it the admin may decide who asks, and how much takes
 * another one by the rules in force. Only who may decide is looked at: a payout that is frozen or
 * cools off waits, too.
 */
export async function listWaiting(reader: Reader, actorId: string): Promise<Waiting> {
  const inviter = await recentInviter(reader, actorId);
  const queues = queuesFor({ actorId, inviter }, await readSettings(reader));
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
  return {
    items: rows
      .filter(({ mine, others }) => mine + others > 0)
      .map(({ oldestAt, ...row }) => ({ ...row, oldestAt: oldestAt?.toISOString() ?? null })),
  };
}

interface Asking {
  actorId: string;
  /** Who is the same person as the one who asks, where two are needed; null: nobody is. */
  inviter: string | null;
}

function queuesFor(
  { actorId, inviter }: Asking,
  settings: CompanySettings,
): Record<WaitingKind, Queue> {
  const me = sql`${actorId}::uuid`;
  const us = sql`${inviter === null ? [actorId] : [actorId, inviter]}::uuid[]`;
  /** Whether two people are asked for that much of this duty. */
  const isSeparated = (duty: Parameters<typeof thresholdOf>[1]) =>
    sql`coalesce(request.amount_minor >= ${thresholdOf(settings, duty)}::bigint, false)`;
  const isPayoutAgain = sql`(${isSeparated('return')} AND coalesce((${lastReturnBy(us)}), false))`;
  const batches = (kind: RawBuilder<unknown>) => sql`
    SELECT created_at AS since, created_by = ANY (${us}) AS is_others
      FROM payroll_batch
     WHERE status = 'pending' AND needs_approval AND approved_at IS NULL AND ${kind}`;
  const requests = (
    table: string,
    since: string,
    status: string,
    isOthers: RawBuilder<unknown>,
  ) => sql`
    SELECT ${sql.ref(since)} AS since, user_id = ${me} OR ${isOthers} AS is_others
      FROM ${sql.table(table)} AS request WHERE status = ${status} ORDER BY ${sql.ref(since)}`;
  const withdrawals = (status: string, isOthers: RawBuilder<unknown>) =>
    requests('withdrawal', 'requested_at', status, isOthers);
  return {
    securityRules: sql`
      SELECT proposed_at AS since, proposed_by = ANY (${us}) AS is_others
        FROM security_proposal WHERE outcome IS NULL`,
    payrolls: batches(sql`funding_type IS NULL`),
    fundings: batches(sql`funding_type IS NOT NULL`),
    payoutsToApprove: withdrawals(
      'pending',
      // As approveWithdrawal refuses it.
      sql`(${isSeparated('bankAccount')} AND EXISTS (
             SELECT FROM bank_account
              WHERE bank_account.id = request.bank_account_id AND decided_by = ANY (${us})))
          OR ${isPayoutAgain}`,
    ),
    payoutsToSend: withdrawals('approved', sql`false`),
    payoutsToComplete: withdrawals(
      'processing',
      sql`(${isSeparated('payout')} AND coalesce(approved_by = ANY (${us}), false))`,
    ),
    // As sendBill and completeBill refuse it.
    billsToSend: requests('bill', 'taken_at', 'due', isPayoutAgain),
    billsToComplete: requests(
      'bill',
      'sent_at',
      'sent',
      sql`(${isSeparated('payout')} AND coalesce(sent_by = ANY (${us}), false))`,
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
    payoutsFrozen: sql`
      SELECT payouts_frozen_at AS since, id = ${me} AS is_others
        FROM app_user WHERE payouts_frozen_at IS NOT NULL AND role = 'employee'`,
  };
}

/**
 * Whether one of these booked the last return of a payout from the wallet of `request` before it, as
 * `lastReturnBooker` answers for one request; null where nothing was returned.
 */
function lastReturnBy(us: RawBuilder<unknown>): RawBuilder<unknown> {
  const returned = (table: string) => sql`
    SELECT closed_by, closed_at FROM ${sql.table(table)} AS returned
     WHERE returned.user_id = request.user_id AND returned.wallet_id = request.wallet_id
       AND returned.status = 'returned' AND returned.closed_at <= request.requested_at`;
  return sql`
    SELECT closed_by = ANY (${us})
      FROM (${returned('withdrawal')} UNION ALL ${returned('bill')}) AS payout
     ORDER BY closed_at DESC LIMIT 1`;
}
