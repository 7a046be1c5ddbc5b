import { sql } from 'kysely';
import { formatMoney, money } from '#contract/money.ts';
import type { Currency } from '#contract/money.ts';
import type { Tx } from '#server/db/tx.ts';
import { AppError } from '#server/lib/errors.ts';
import { LedgerError, placeHold } from '#server/modules/ledger/index.ts';
import type { WalletRecord } from './rows.ts';

/**
 * Locks one of the person's open wallets until the transaction ends. Commands that promise or take
 * money from a wallet lock it first, so that their checks still hold when they act. In the order of
 * locks it comes after the person's row, and before the request's and the bank account's.
 *
 * @throws {AppError} `wallet_not_found` when it is closed or another person's
 */
export async function lockWallet(
  tx: Tx,
  { walletId, userId }: { walletId: string; userId: string },
): Promise<WalletRecord> {
  const { rows } = await sql<WalletRecord>`
    SELECT id, user_id, type, ledger_account_id, last4 FROM wallet
     WHERE id = ${walletId} AND user_id = ${userId} AND closed_at IS NULL
       FOR NO KEY UPDATE`.execute(tx);
  const [row] = rows;
  if (row === undefined) throw new AppError('wallet_not_found');
  return row;
}

/**
 * Sets money of a wallet aside for a request, as the hold `id`. The caller has locked the wallet
 * with `lockWallet`.
 *
 * @throws {AppError} `insufficient_funds`, with the available amount
 */
export async function holdFunds(
  tx: Tx,
  wallet: WalletRecord,
  { currency, ...hold }: { id: string; amountMinor: bigint; currency: Currency; reference: string },
): Promise<void> {
  try {
    await placeHold(tx, { ...hold, accountId: wallet.ledgerAccountId });
  } catch (error) {
    if (!(error instanceof LedgerError) || error.availableMinor === undefined) throw error;
    const available = formatMoney(money(error.availableMinor, currency));
    throw new AppError('insufficient_funds', { available });
  }
}

/** Locks those of the wallets that are open and the person's, in the order of their ids; by id. */
export async function lockWallets(
  tx: Tx,
  { userId, ids }: { userId: string; ids: readonly string[] },
): Promise<ReadonlyMap<string, WalletRecord>> {
  const rows = await tx
    .selectFrom('wallet')
    .select(['id', 'userId', 'type', 'ledgerAccountId', 'last4'])
    .where('closedAt', 'is', null)
    .where('userId', '=', userId)
    .where('id', 'in', ids)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute();
  return new Map(rows.map((row) => [row.id, row]));
}

/**
 * Locks two open wallets of one person in the order of their ids, for money that moves between
 * them.
 *
 * @throws {AppError} `wallet_not_found` when either is closed or another person's
 */
export async function lockForMove(
  tx: Tx,
  { userId, fromId, toId }: { userId: string; fromId: string; toId: string },
): Promise<{ from: WalletRecord; to: WalletRecord }> {
  const wallets = await lockWallets(tx, { userId, ids: [fromId, toId] });
  const from = wallets.get(fromId);
  const to = wallets.get(toId);
  if (from === undefined || to === undefined) throw new AppError('wallet_not_found');
  return { from, to };
}

/**
 * Locks the wallet that money is taken from and the salary wallet of the recipient, in the order of
 * their ids. A wallet that is closed, or belongs to another person, is undefined.
 */
export async function lockForTransfer(
  tx: Tx,
  { walletId, userId }: { walletId: string; userId: string },
  recipientId: string,
): Promise<{ from: WalletRecord | undefined; to: WalletRecord | undefined }> {
  const rows = await tx
    .selectFrom('wallet')
    .select(['id', 'userId', 'type', 'ledgerAccountId', 'last4'])
    .where('closedAt', 'is', null)
    .where((one) =>
      one.or([one.and({ id: walletId, userId }), one.and({ userId: recipientId, type: 'salary' })]),
    )
    .orderBy('id')
    .forNoKeyUpdate()
    .execute();
  return {
    from: rows.find((row) => row.userId === userId),
    to: rows.find((row) => row.userId === recipientId),
  };
}
