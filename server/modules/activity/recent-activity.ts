import { sql } from 'kysely';
import type { ActivityItem } from '#contract/api.ts';
import { TRANSACTION_TYPES } from '#contract/activity.ts';
import type { TransactionStatus, TransactionType } from '#contract/activity.ts';
import type { Currency } from '#contract/money.ts';
import { money } from '#contract/money.ts';
import type { Reader } from '#server/db/tx.ts';
import { invariant } from '#server/lib/errors.ts';
import { bankLabel } from '#server/modules/bank-accounts/index.ts';
import { describeDeposit } from '#server/modules/deposits/index.ts';

interface Asked {
  userId: string;
  currency: Currency;
  limit: number;
}

/**
 * What happened last, newest first: one row per business event, which is a posted transaction or a
 * request that is not posted (waiting, rejected, cancelled). Amounts are signed from the person's
 * side. Each source is asked for no more than `limit` rows by its own index.
 */
export async function recentActivity(reader: Reader, asked: Asked): Promise<ActivityItem[]> {
  const posted = await postedItems(reader, asked);
  const withdrawals = await withdrawalItems(reader, asked);
  const deposits = await depositItems(reader, asked);
  return [...posted, ...withdrawals, ...deposits]
    .toSorted((a, b) => b.at.localeCompare(a.at) || b.id.localeCompare(a.id))
    .slice(0, asked.limit);
}

interface PostedRow {
  id: string;
  kind: string;
  description: string;
  reference: string;
  amount: bigint;
  effectiveAt: Date;
}

/** Closed wallets too: what happened in them is still the person's history. */
async function postedItems(reader: Reader, { userId, currency, limit }: Asked) {
  const { rows } = await sql<PostedRow>`
    SELECT one.id, one.kind, one.description, one.reference, entry.amount, entry.effective_at
      FROM wallet
     CROSS JOIN LATERAL (
       SELECT * FROM ledger_entry WHERE account_id = wallet.ledger_account_id
        ORDER BY account_version DESC LIMIT ${limit}) AS entry
      JOIN ledger_transaction AS one ON one.id = entry.transaction_id
     WHERE wallet.user_id = ${userId}
     ORDER BY entry.effective_at DESC, one.id DESC LIMIT ${limit}`.execute(reader);
  return rows.map((row): ActivityItem => ({
    id: row.id,
    type: transactionType(row.kind),
    description: row.description,
    reference: row.reference,
    status: 'completed',
    amount: money(row.amount, currency),
    at: row.effectiveAt.toISOString(),
  }));
}

/** Completed and returned ones are posted. */
async function withdrawalItems(reader: Reader, { userId, currency, limit }: Asked) {
  const rows = await reader
    .selectFrom('withdrawal')
    .select(['id', 'reference', 'bankName', 'bankLast4', 'amountMinor', 'status', 'requestedAt'])
    .where('userId', '=', userId)
    .where('status', 'not in', ['completed', 'returned'])
    .orderBy('requestedAt', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
  return rows.map((row): ActivityItem => ({
    id: row.id,
    type: 'withdrawal',
    description: `Withdrawal to ${bankLabel({ bankName: row.bankName, last4: row.bankLast4 })}`,
    reference: row.reference,
    status: unpostedStatus(row.status),
    amount: money(-row.amountMinor, currency),
    at: row.requestedAt.toISOString(),
  }));
}

/** Approved ones are posted. */
async function depositItems(reader: Reader, { userId, currency, limit }: Asked) {
  const rows = await reader
    .selectFrom('deposit')
    .innerJoin('wallet', 'wallet.id', 'deposit.walletId')
    .select([
      'deposit.id',
      'deposit.reference',
      'deposit.method',
      'deposit.amountMinor',
      'deposit.status',
      'deposit.requestedAt',
      'wallet.type as walletType',
    ])
    .where('deposit.userId', '=', userId)
    .where('deposit.status', '<>', 'approved')
    .orderBy('deposit.requestedAt', 'desc')
    .orderBy('deposit.id', 'desc')
    .limit(limit)
    .execute();
  return rows.map((row): ActivityItem => ({
    id: row.id,
    type: 'deposit',
    description: describeDeposit(row.method, row.walletType),
    reference: row.reference,
    status: unpostedStatus(row.status),
    amount: money(row.amountMinor, currency),
    at: row.requestedAt.toISOString(),
  }));
}

/** What the person sees a posting of the ledger as. */
export function transactionType(kind: string): TransactionType {
  return invariant(
    TRANSACTION_TYPES.find((type) => type === kind),
    `a posting of kind ${kind} has no name in a person's history`,
  );
}

/** A request that is held or waits is pending; a rejected one has failed. */
export function unpostedStatus(status: string): TransactionStatus {
  if (status === 'rejected') return 'failed';
  return status === 'cancelled' ? 'cancelled' : 'pending';
}
