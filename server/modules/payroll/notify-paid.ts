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

type PaidLine = Pick<ClaimedLine, 'id' | 'lineNumber' | 'userId' | 'amountMinor'>;

/**
 * True if people are notified after their line is paid and not with it: in a batch of more than `lines` that is paid for the
 * first time. `notifyRange` does so while the next lines are paid, and `mailRest` makes up for what it has not.
 */
export function isNotifiedLater(
  { mailedAt, payableCount }: Pick<LockedBatch, 'mailedAt' | 'payableCount'>,
  lines: number,
): boolean {
  return mailedAt === null && payableCount > lines;
}

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
  lines: readonly PaidLine[],
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
export async function findUnnotified<Line extends PaidLine>(
  tx: Tx,
  lines: readonly Line[],
): Promise<readonly Line[]> {
  const notified = await findNotifications(
    tx,
    lines.map(({ id }) => id),
  );
  return lines.filter(({ id }) => !notified.has(id));
}

function isMailedBefore({ mailedAt, unmailedAfter }: LockedBatch, line: PaidLine): boolean {
  return mailedAt !== null && (unmailedAfter === null || line.lineNumber <= unmailedAfter);
}

/** Lines of a batch by number: more than `after`, at most `through`. */
export interface Range {
  after: number;
  through: number;
}

/** Notifies everybody whom those lines of a batch have paid, as far as they have not been notified. */
export async function notifyRange(
  tx: Tx,
  batch: LockedBatch,
  { after, through }: Range,
  now: Date,
): Promise<void> {
  const { rows } = await sql<PaidLine>`
    SELECT id, line_number, user_id, amount_minor FROM payroll_line
     WHERE batch_id = ${batch.id} AND status IN ('processed', 'reversed')
       AND line_number > ${after} AND line_number <= ${through}
     ORDER BY line_number`.execute(tx);
  const lines = await findUnnotified(tx, rows);
  if (lines.length > 0) await notifyPaid(tx, batch, lines, now);
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
 * Asks for the next mails of a finished batch, and notifies those of their people who have not been. Its row is locked
 * meanwhile: a line that is retried is mailed either by its retry or from here.
 *
 * @returns true if there may be more
 */
export async function mailRest(
  tx: Tx,
  batchId: string,
  { lines, now }: { lines: number; now: Date },
): Promise<boolean> {
  const batch = await tx
    .selectFrom('payrollBatch')
    .selectAll()
    .where('id', '=', batchId)
    .where('unmailedAfter', 'is not', null)
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (batch === undefined || batch.unmailedAfter === null) return false;
  const through = batch.unmailedAfter + lines;
  const range = { after: batch.unmailedAfter, through };
  await notifyRange(tx, batch, range, now);
  await mailPaid(tx, batchId, range);
  const isLast = through >= batch.payableCount;
  await tx
    .updateTable('payrollBatch')
    .set({ unmailedAfter: isLast ? null : through })
    .where('id', '=', batchId)
    .execute();
  return !isLast;
}

/** `$1,920.00 arrived in your Salary Wallet: Biweekly pay, Nov 23 – Dec 6` */
function paidMessage(batch: LockedBatch, line: PaidLine): string {
  const amount = formatMoney(money(line.amountMinor, batch.currency));
  const words = payWords(batch.fundingType, batch.description);
  return `${amount} arrived in your ${WALLET_LABELS[batch.walletType]}: ${words}`;
}
