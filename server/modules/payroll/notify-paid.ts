import { sql } from 'kysely';
import { payWords } from '#contract/funding.ts';
import { formatMoney, money } from '#contract/money.ts';
import { WALLET_LABELS } from '#contract/wallets.ts';
import type { Tx } from '#server/db/tx.ts';
import { publish } from '#server/events/outbox.ts';
import {
  findNotifications,
  mailNotifications,
  notifyMany,
} from '#server/modules/notifications/index.ts';
import type { ClaimedLine, LockedBatch } from './claim-lines.ts';

/**
 * Notifies everybody in a chunk that they were paid. The notification has the id of the line: a line
 * is paid once, and is notified of once.
 *
 * Mails wait until the batch is finished (`mailPaid`, `mailRest`): 100,000 of them, sent while the rest is being
 * paid, would take half the machine from it. What is paid by a later retry is mailed immediately, unless the mails of the
 * batch have not come to its line yet.
 */
export async function notifyPaid(
  tx: Tx,
  batch: LockedBatch,
  lines: readonly ClaimedLine[],
  now: Date,
): Promise<void> {
  const recipients = lines.map((line) => ({
    notificationId: line.id,
    userId: line.userId,
    message: paidMessage(batch, line),
    isMailed: isMailedBefore(batch, line),
  }));
  const withSession = await notifyMany(tx, recipients, {
    kind: batch.fundingType === null ? 'payroll-received' : 'funding-received',
    at: now,
  });
  for (const userId of withSession) publish(tx, { topic: 'wallets', userId });
}

/** Those of the lines whose people have not been notified that they were paid. */
export async function findUnnotified(
  tx: Tx,
  lines: readonly ClaimedLine[],
): Promise<readonly ClaimedLine[]> {
  const notified = await findNotifications(
    tx,
    lines.map(({ id }) => id),
  );
  return lines.filter(({ id }) => !notified.has(id));
}

function isMailedBefore({ mailedAt, unmailedAfter }: LockedBatch, line: ClaimedLine): boolean {
  return mailedAt !== null && (unmailedAfter === null || line.lineNumber <= unmailedAfter);
}

/** Lines of a batch by number: more than `after`, at most `through`. */
interface Range {
  after: number;
  through: number;
}

/** Asks for the mails of everybody whom those lines of a batch have paid. */
export function mailPaid(tx: Tx, batchId: string, { after, through }: Range): Promise<void> {
  return mailNotifications(
    tx,
    sql`SELECT id, user_id FROM payroll_line
         WHERE batch_id = ${batchId} AND status IN ('processed', 'reversed')
           AND line_number > ${after} AND line_number <= ${through}
         ORDER BY line_number`,
  );
}

/**
 * Asks for the next mails of a finished batch. Its row is locked meanwhile: a line that is retried is mailed either by its
 * retry or from here.
 *
 * @returns true if there may be more
 */
export async function mailRest(tx: Tx, batchId: string, lines: number): Promise<boolean> {
  const batch = await tx
    .selectFrom('payrollBatch')
    .select(['unmailedAfter', 'payableCount'])
    .where('id', '=', batchId)
    .where('unmailedAfter', 'is not', null)
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (batch === undefined || batch.unmailedAfter === null) return false;
  const through = batch.unmailedAfter + lines;
  await mailPaid(tx, batchId, { after: batch.unmailedAfter, through });
  const isLast = through >= batch.payableCount;
  await tx
    .updateTable('payrollBatch')
    .set({ unmailedAfter: isLast ? null : through })
    .where('id', '=', batchId)
    .execute();
  return !isLast;
}

/** `$1,920.00 arrived in your Salary Wallet: Biweekly pay, Nov 23 – Dec 6` */
function paidMessage(batch: LockedBatch, line: ClaimedLine): string {
  const amount = formatMoney(money(line.amountMinor, batch.currency));
  const words = payWords(batch.fundingType, batch.description);
  return `${amount} arrived in your ${WALLET_LABELS[batch.walletType]}: ${words}`;
}
