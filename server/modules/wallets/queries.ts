import { WALLET_TYPES } from '#contract/wallets.ts';
import type { RouteReply, Wallet } from '#contract/api.ts';
import { money } from '#contract/money.ts';
import type { Reader } from '#server/db/tx.ts';
import { invariant } from '#server/lib/errors.ts';
import { accountBalances } from '#server/modules/ledger/index.ts';
import { readSettings } from '#server/modules/settings/index.ts';
import { presentWallet } from './present.ts';
import type { WalletRecord } from './rows.ts';

/** The person's open wallets, the salary wallet first. */
export async function openWalletsOf(reader: Reader, userId: string): Promise<WalletRecord[]> {
  const rows = await reader
    .selectFrom('wallet')
    .select(['id', 'userId', 'type', 'ledgerAccountId', 'last4'])
    .where('userId', '=', userId)
    .where('closedAt', 'is', null)
    .execute();
  return rows.toSorted((a, b) => WALLET_TYPES.indexOf(a.type) - WALLET_TYPES.indexOf(b.type));
}

/**
 * The person's open wallets with their balances, and the sum of their available amounts. Money held
 * for a request is in the balance, but not in the available amount.
 */
export async function listWallets(
  reader: Reader,
  userId: string,
): Promise<RouteReply<'listWallets'>> {
  const settings = await readSettings(reader);
  const wallets = await openWalletsOf(reader, userId);
  const balances = await accountBalances(
    reader,
    wallets.map((wallet) => wallet.ledgerAccountId),
  );
  const accounts: Wallet[] = [];
  let totalMinor = 0n;
  for (const wallet of wallets) {
    const balance = invariant(balances.get(wallet.ledgerAccountId), `no account of ${wallet.id}`);
    totalMinor += balance.availableMinor;
    accounts.push(presentWallet(wallet, balance, settings));
  }
  return { accounts, totalAssets: money(totalMinor, settings.currency) };
}
