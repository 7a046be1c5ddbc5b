import { sql } from 'kysely';
import { lockUsers } from '#server/db/lock-user.ts';
import type { Tx } from '#server/db/tx.ts';
import { lockToReturn } from '#server/modules/acts/index.ts';
import { lockRequests } from '../items.ts';

interface Returned {
  itemId: string;
  userId: string;
  /** Null of a prenote. */
  walletId: string | null;
  withdrawalId: string | null;
  billId: string | null;
}

/**
 * Locks all that a return of these items changes, in the order of all commands, and the rows of each table by their ids:
 * owners, wallets, withdrawals, bills, bank accounts of the owners, items, accounts of the ledger. So returns are booked one
 * after the other where they have a payment or a person in common, and a return by hand waits for either.
 */
export async function lockReturned(tx: Tx, itemIds: readonly string[]): Promise<void> {
  const { rows } = await sql<Returned>`
    SELECT item.id AS item_id, item.withdrawal_id, item.bill_id,
           coalesce(withdrawal.user_id, bill.user_id, tested.user_id) AS user_id,
           coalesce(withdrawal.wallet_id, bill.wallet_id) AS wallet_id
      FROM payout_file_item AS item
      LEFT JOIN withdrawal ON withdrawal.id = item.withdrawal_id
      LEFT JOIN bill ON bill.id = item.bill_id
      LEFT JOIN bank_account AS tested ON tested.id = item.bank_account_id
     WHERE item.id = ANY (${itemIds}::uuid[])`.execute(tx);
  const walletIds = rows.flatMap(({ walletId }) => walletId ?? []);
  // A mark on a bank account can make another one of its owner the primary one.
  const owners = rows.flatMap(({ userId, billId }) => (billId === null ? [userId] : []));
  await lockUsers(
    tx,
    rows.map(({ userId }) => userId),
  );
  await sql`
    SELECT FROM wallet WHERE id = ANY (${walletIds}::uuid[]) ORDER BY id FOR NO KEY UPDATE`.execute(
    tx,
  );
  const among = (ids: readonly (string | null)[]) =>
    sql`id = ANY (${ids.filter((id) => id !== null)}::uuid[])`;
  await lockRequests(tx, {
    withdrawal: among(rows.map(({ withdrawalId }) => withdrawalId)),
    bill: among(rows.map(({ billId }) => billId)),
    bank_account: sql`user_id = ANY (${owners}::uuid[])`,
  });
  await sql`
    SELECT FROM payout_file_item WHERE id = ANY (${rows.map(({ itemId }) => itemId)}::uuid[])
     ORDER BY id FOR NO KEY UPDATE`.execute(tx);
  await lockToReturn(tx, walletIds);
}
