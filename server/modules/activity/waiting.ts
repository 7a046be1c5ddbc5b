import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { RouteReply } from '#contract/api.ts';
import { MOST_WAITING, WAITING_KINDS } from '#contract/waiting.ts';
import type { WaitingKind } from '#contract/waiting.ts';
import { bankAccount } from '#contract/things/bank-account.ts';
import { bill } from '#contract/things/bill.ts';
import { deposit } from '#contract/things/deposit.ts';
import { payrollBatch } from '#contract/things/payroll-batch.ts';
import { specOf } from '#contract/things/thing.ts';
import type { ActOf, Thing } from '#contract/things/thing.ts';
import { usualPayChange } from '#contract/things/usual-pay-change.ts';
import { withdrawal } from '#contract/things/withdrawal.ts';
import type { Reader } from '#server/db/tx.ts';
import { isForOthers, takesAnother } from '#server/modules/acts/index.ts';
import { mayBeSecond, readDuties } from '#server/modules/security/index.ts';
import type { Duties } from '#server/modules/security/index.ts';
import { unfinishedBatches } from './unfinished-batches.ts';

type Waiting = RouteReply<'adminListWaiting'>;

/** Waiting things of one kind, one row each: since when, and if another admin has to decide it. */
type Queue = RawBuilder<unknown>;

/**
 * Things that wait for a decision, by kind: the number that the asking admin may decide, and the number
 * that takes another one, as the acts themselves are refused. Only who may decide is looked at: a payout
 * that is frozen or cools off waits, too.
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
  const reader = { duties, actorId };
  const batches = (kind: RawBuilder<unknown>) => sql`
    SELECT created_at AS since, ${takesAnother(payrollBatch, 'approve', reader)} AS is_others
      FROM payroll_batch AS request
     WHERE status = 'pending' AND needs_approval AND approved_at IS NULL AND ${kind}`;
  /** Things in the status from which the act takes them on. */
  const things = <T extends Thing>(thing: T, act: ActOf<T>, since: string) => sql`
    SELECT ${sql.ref(since)} AS since, ${takesAnother(thing, act, reader)} AS is_others
      FROM ${sql.table(thing.name)} AS request
     WHERE status IN (${sql.join(specOf(thing, act).from.map((status) => sql.lit(status)))})`;
  // A payout that was sent in a file is posted, and completed with the file.
  const byHand = sql`AND ledger_transaction_id IS NULL ORDER BY since`;
  return {
    // As `refusalOfProposal`: an act on an administrator needs no other after a day, where there was none.
    securityRules: sql`
      SELECT proposed_at AS since, coalesce(person_id = ${me}, false)
             OR (${isForOthers(sql`proposed_by`, reader)} AND NOT coalesce(
                   opens_at <= now() AND ${sql.lit(mayBeSecond(duties, actorId))}, false)) AS is_others
        FROM security_proposal WHERE outcome IS NULL AND act <> 'reopenMonth'`,
    payrolls: batches(sql`funding_type IS NULL`),
    fundings: batches(sql`funding_type IS NOT NULL`),
    usualPay: sql`${things(usualPayChange, 'confirm', 'created_at')} ORDER BY since`,
    // As `refusalToConfirm`: of the two who had it before, and of the people whom it changes, nobody.
    usualPayFiles: sql`
      SELECT sent_at AS since, ${isForOthers(sql`sent_by`, reader)}
             OR ${isForOthers(sql`created_by`, reader)}
             OR changes @> ${JSON.stringify([{ userId: actorId }])}::jsonb AS is_others
        FROM usual_pay_import WHERE status = 'waiting'`,
    payoutsToApprove: sql`${things(withdrawal, 'approve', 'requested_at')} ORDER BY since`,
    payoutsToSend: sql`${things(withdrawal, 'startProcessing', 'requested_at')} ORDER BY since`,
    payoutsToComplete: sql`${things(withdrawal, 'complete', 'requested_at')} ${byHand}`,
    billsToSend: sql`${things(bill, 'send', 'moved_at')} ORDER BY since`,
    billsToComplete: sql`${things(bill, 'complete', 'moved_at')} ${byHand}`,
    bankAccounts: sql`
      ${things(bankAccount, 'verify', 'submitted_at')} AND removed_at IS NULL ORDER BY since`,
    deposits: sql`${things(deposit, 'approve', 'requested_at')} ORDER BY since`,
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
