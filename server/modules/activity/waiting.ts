import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { RouteReply } from '#contract/api.ts';
import { MOST_WAITING, WAITING_KINDS } from '#contract/waiting.ts';
import type { WaitingKind } from '#contract/waiting.ts';
import type { Reader } from '#server/db/tx.ts';
import { thresholdOf } from '#server/modules/security/index.ts';
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
  const queues = queuesFor(sql`${actorId}::uuid`, await readSettings(reader));
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

function queuesFor(me: RawBuilder<unknown>, settings: CompanySettings): Record<WaitingKind, Queue> {
  /** Whether two people are asked for that much of this duty. */
  const isSeparated = (duty: Parameters<typeof thresholdOf>[1]) =>
    sql`coalesce(withdrawal.amount_minor >= ${thresholdOf(settings, duty)}::bigint, false)`;
  const batches = (kind: RawBuilder<unknown>) => sql`
    SELECT created_at AS since, created_by = ${me} AS is_others
      FROM payroll_batch
     WHERE status = 'pending' AND needs_approval AND approved_at IS NULL AND ${kind}`;
  const withdrawals = (status: string, isOthers: RawBuilder<unknown>) => sql`
    SELECT requested_at AS since, user_id = ${me} OR ${isOthers} AS is_others
      FROM withdrawal WHERE status = ${status} ORDER BY requested_at`;
  return {
    securityRules: sql`
      SELECT proposed_at AS since, proposed_by = ${me} AS is_others
        FROM security_proposal WHERE outcome IS NULL`,
    payrolls: batches(sql`funding_type IS NULL`),
    fundings: batches(sql`funding_type IS NOT NULL`),
    payoutsToApprove: withdrawals(
      'pending',
      // As approveWithdrawal refuses it.
      sql`(${isSeparated('bankAccount')} AND EXISTS (
             SELECT FROM bank_account
              WHERE bank_account.id = withdrawal.bank_account_id AND decided_by = ${me}))
          OR (${isSeparated('return')} AND ${me} IS NOT DISTINCT FROM (
             SELECT closed_by FROM withdrawal AS returned
              WHERE returned.user_id = withdrawal.user_id
                AND returned.wallet_id = withdrawal.wallet_id AND returned.status = 'returned'
                AND returned.closed_at <= withdrawal.requested_at
              ORDER BY closed_at DESC LIMIT 1))`,
    ),
    payoutsToSend: withdrawals('approved', sql`false`),
    payoutsToComplete: withdrawals(
      'processing',
      sql`(${isSeparated('payout')} AND approved_by IS NOT DISTINCT FROM ${me})`,
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
  };
}
