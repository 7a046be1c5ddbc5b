import { sql } from 'kysely';
import { formatMoney, money } from '#contract/money.ts';
import { WALLET_LABELS } from '#contract/wallets.ts';
import type { Tx } from '#server/db/tx.ts';
import type { ClaimedLine, LockedBatch } from './claim-lines.ts';

/**
 * Tells everybody in a chunk that they were paid, as `notify` would, but set-based. The notification
 * has the id of the line: a line is paid once and tells so once.
 *
 * Live events go only to those with a session: a screen that is open has one, and a screen opened
 * later reads what is true then. So 100,000 people cost a few event rows, not 200,000, and still
 * nobody hears of another's pay.
 *
 * Mails wait until the batch is finished (`mailPaid`): 100,000 of them, sent while the rest is being
 * paid, would take half the machine from it. What is paid by a later retry is mailed at once.
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
      SELECT paid.line_id, paid.user_id, 'payroll', 'Payroll received', paid.message, paid.line_id,
             ${now}::timestamptz
        FROM unnest(${lines.map((line) => line.id)}::uuid[],
                    ${lines.map((line) => line.userId)}::uuid[], ${messages}::text[])
               AS paid (line_id, user_id, message)
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
      FROM told WHERE ${batch.mailedAt !== null}`.execute(tx);
}

/** Those of the lines whose people have not been notified that they were paid. */
export async function findUnnotified(
  tx: Tx,
  lines: readonly ClaimedLine[],
): Promise<readonly ClaimedLine[]> {
  const { rows } = await sql<{ id: string }>`
    SELECT id FROM notification WHERE id = ANY (${lines.map((line) => line.id)}::uuid[])`.execute(
    tx,
  );
  const notified = new Set(rows.map(({ id }) => id));
  return lines.filter((line) => !notified.has(line.id));
}

/** Asks for the mails of everybody whom a batch has paid, when it is finished for the first time. */
export async function mailPaid(tx: Tx, batchId: string): Promise<void> {
  await sql`
    INSERT INTO outbox (kind, topic, user_id, payload)
    SELECT 'mail', 'notification', user_id, jsonb_build_object('notificationId', id)
      FROM payroll_line
     WHERE batch_id = ${batchId} AND status = 'processed' ORDER BY line_number`.execute(tx);
}

/** `$1,920.00 arrived in your Salary Wallet: Biweekly pay, Nov 23 – Dec 6` */
function paidMessage(batch: LockedBatch, line: ClaimedLine): string {
  const amount = formatMoney(money(line.amountMinor, batch.currency));
  return `${amount} arrived in your ${WALLET_LABELS[batch.walletType]}: ${batch.description}`;
}
