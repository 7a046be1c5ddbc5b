import { sql } from 'kysely';
import type { RouteReply } from '#contract/api.ts';
import { MAX_BADGE } from '#contract/limits.ts';
import type { Reader } from '#server/db/tx.ts';
import type { Actor } from '#server/lib/actor.ts';
import { lacksProof } from '#server/modules/bank-accounts/index.ts';
import { payableFrom } from '#server/modules/settings/index.ts';

/** Counting stops at the first that a badge has no room for: a long queue must not slow each page. */
const MOST_COUNTED = MAX_BADGE + 1;

type Shell = RouteReply<'getShell'>;

/** Facts for the layout: unread notifications, a stop of mail, and for admins what waits. */
export async function getShell(reader: Reader, actor: Actor): Promise<Shell> {
  const own = await readOwn(reader, actor.id);
  const waiting = actor.role === 'admin' ? await countWaiting(reader) : null;
  return { ...own, waiting };
}

async function readOwn(reader: Reader, userId: string): Promise<Omit<Shell, 'waiting'>> {
  const { rows } = await sql<
    Omit<Shell, 'waiting' | 'booksCheckedAt'> & { booksCheckedAt: Date | null }
  >`
    SELECT count(*)::int AS unread_notifications,
           (SELECT finished_at FROM verification_run WHERE finished_at IS NOT NULL ORDER BY id DESC LIMIT 1)
             AS books_checked_at,
           EXISTS (SELECT FROM mail_suppression JOIN app_user USING (email)
                    WHERE app_user.id = ${userId}) AS is_mail_stopped
      FROM (
      SELECT FROM notification WHERE user_id = ${userId} AND read_at IS NULL AND deleted_at IS NULL
       LIMIT ${MOST_COUNTED}) AS counted`.execute(reader);
  const [own] = rows;
  if (own === undefined) {
    return { unreadNotifications: 0, isMailStopped: false, booksCheckedAt: null };
  }
  return { ...own, booksCheckedAt: own.booksCheckedAt?.toISOString() ?? null };
}

/**
 * Withdrawals and bills that can be paid now, by the rule of money that leaves, and bank accounts that wait for a
 * prenote or micro-deposits; without those that are in a payout file.
 */
const readyToPay = sql`
  SELECT FROM withdrawal JOIN app_user AS payee ON payee.id = withdrawal.user_id
    JOIN bank_account AS bank ON bank.id = withdrawal.bank_account_id
   WHERE withdrawal.status = 'approved' AND payee.payouts_frozen_at IS NULL AND bank.status = 'verified'
     AND coalesce(${payableFrom('bank.submitted_at', 'payee.password_reset_at')} <= now(), true)
     AND NOT EXISTS (SELECT FROM payout_file_item WHERE withdrawal_id = withdrawal.id AND is_live)
   UNION ALL
  SELECT FROM bill JOIN app_user AS payer ON payer.id = bill.user_id
    JOIN payee AS recipient ON recipient.id = bill.payee_id
   WHERE bill.status = 'due' AND payer.payouts_frozen_at IS NULL AND recipient.returned_bill_id IS NULL
     AND coalesce(${payableFrom('recipient.created_at', 'payer.password_reset_at')} <= now(), true)
     AND NOT EXISTS (SELECT FROM payout_file_item WHERE bill_id = bill.id AND is_live)
   UNION ALL
  SELECT FROM bank_account AS bank
   WHERE bank.status = 'pending' AND bank.removed_at IS NULL AND ${lacksProof('bank')}`;

async function countWaiting(reader: Reader): Promise<NonNullable<Shell['waiting']>> {
  const { rows } = await sql<NonNullable<Shell['waiting']>>`
    SELECT
      (SELECT count(*)::int FROM (SELECT FROM kyc_review_item
        WHERE review_status IN ('submitted', 'in_review') LIMIT ${MOST_COUNTED}) AS counted) AS kyc,
      (SELECT count(*)::int FROM (SELECT FROM bank_account
        WHERE status = 'pending' AND removed_at IS NULL LIMIT ${MOST_COUNTED}) AS counted)
        AS bank_accounts,
      (SELECT count(*)::int FROM (SELECT FROM deposit
        WHERE status = 'pending' LIMIT ${MOST_COUNTED}) AS counted) AS deposits,
      (SELECT count(*)::int FROM (SELECT FROM withdrawal
        WHERE status IN ('pending', 'approved', 'processing')
        LIMIT ${MOST_COUNTED}) AS counted) AS withdrawals,
      (SELECT count(*)::int FROM (SELECT FROM bill
        WHERE status IN ('due', 'sent') LIMIT ${MOST_COUNTED}) AS counted) AS bills,
      (SELECT count(*)::int FROM (SELECT FROM question
        WHERE answered_at IS NULL LIMIT ${MOST_COUNTED}) AS counted) AS questions,
      (SELECT count(*)::int FROM (SELECT FROM app_user
        WHERE role = 'employee' AND accepted_at IS NULL AND deactivated_at IS NULL
        LIMIT ${MOST_COUNTED}) AS counted) AS applicants,
      (SELECT count(*)::int FROM (SELECT FROM bank_line
        WHERE matched_at IS NULL LIMIT ${MOST_COUNTED}) AS counted) AS bank_lines,
      (SELECT count(*)::int FROM (${readyToPay} LIMIT ${MOST_COUNTED}) AS counted) AS payouts
  `.execute(reader);
  return (
    rows[0] ?? {
      kyc: 0,
      bankAccounts: 0,
      deposits: 0,
      withdrawals: 0,
      bills: 0,
      questions: 0,
      applicants: 0,
      bankLines: 0,
      payouts: 0,
    }
  );
}
