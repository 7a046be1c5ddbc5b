import { sql } from 'kysely';
import { formatMoney } from '#contract/money.ts';
import { WALLET_LABELS } from '#contract/wallets.ts';
import type { Tx } from '#server/db/tx.ts';
import { newId } from '#server/lib/ids.ts';
import type { ClaimedLine, LockedBatch } from './claim-lines.ts';

/**
 * Tells everybody in a chunk that they were paid: a notification and a mail each, as `notify` would,
 * but set-based. Live events go only to those with a session: a screen that is open has one, and a
 * screen opened later reads what is true then. So 100,000 people cost a few event rows, not 200,000,
 * and still nobody hears of another's pay.
 */
export async function tellPaid(
  tx: Tx,
  batch: LockedBatch,
  lines: readonly ClaimedLine[],
  now: Date,
): Promise<void> {
  const messages = lines.map((line) => paidMessage(batch, line));
  await sql`
    WITH told AS (
      INSERT INTO notification (id, user_id, type, title, message, related_id, created_at)
      SELECT paid.notification_id, paid.user_id, 'payroll', 'Payroll received', paid.message,
             paid.line_id, ${now}::timestamptz
        FROM unnest(${lines.map(() => newId())}::uuid[], ${lines.map((line) => line.userId)}::uuid[],
                    ${messages}::text[], ${lines.map((line) => line.id)}::uuid[])
               AS paid (notification_id, user_id, message, line_id)
      RETURNING id, user_id
    ), live AS (
      INSERT INTO outbox (kind, topic, user_id)
      SELECT 'event', topic, told.user_id
        FROM told CROSS JOIN unnest(ARRAY['wallets', 'notifications']) AS topic
       WHERE EXISTS (SELECT FROM auth_session
                      WHERE auth_session.user_id = told.user_id AND expires_at > ${now})
    )
    INSERT INTO outbox (kind, topic, user_id, payload)
    SELECT 'mail', 'notification', user_id, jsonb_build_object('notificationId', id)
      FROM told`.execute(tx);
}

/** `$1,920.00 arrived in your Salary Wallet: Biweekly pay, Nov 23 – Dec 6` */
function paidMessage(batch: LockedBatch, line: ClaimedLine): string {
  const amount = formatMoney(line.amountMinor, batch.currency);
  return `${amount} arrived in your ${WALLET_LABELS[batch.walletType]}: ${batch.description}`;
}
