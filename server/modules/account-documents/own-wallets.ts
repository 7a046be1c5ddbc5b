import { sql } from 'kysely';
import { WALLET_TYPES } from '#contract/wallets.ts';
import type { WalletType } from '#contract/wallets.ts';
import type { Reader } from '#server/db/tx.ts';
import { monthIn } from './months.ts';

/** An account of a person, open or closed, with the months that have a statement. */
export interface OwnWallet {
  type: WalletType;
  last4: string;
  ledgerAccountId: string;
  /** Month in which it was opened, or of its first entry if that is earlier. */
  firstMonth: string;
  /** Month in which it was closed; null while it is open. */
  closedMonth: string | null;
}

/** All accounts that a person has or had, the salary wallet first. Months are in that time zone. */
export async function ownWallets(
  reader: Reader,
  userId: string,
  timeZone: string,
): Promise<OwnWallet[]> {
  const { rows } = await sql<{
    type: WalletType;
    last4: string;
    ledgerAccountId: string;
    since: Date;
    closedAt: Date | null;
  }>`
    SELECT type, last4, ledger_account_id, closed_at,
           least(created_at, (SELECT effective_at FROM ledger_entry
                               WHERE account_id = wallet.ledger_account_id
                                 AND account_version = 1)) AS since
      FROM wallet WHERE user_id = ${userId}`.execute(reader);
  return rows
    .map(({ since, closedAt, ...row }) => ({
      ...row,
      firstMonth: monthIn(timeZone, since),
      closedMonth: closedAt === null ? null : monthIn(timeZone, closedAt),
    }))
    .toSorted((a, b) => WALLET_TYPES.indexOf(a.type) - WALLET_TYPES.indexOf(b.type));
}

/**
 * True if an account has, or will have, a statement of a month. It is ready when the month is over.
 */
export function hasMonth({ firstMonth, closedMonth }: OwnWallet, month: string): boolean {
  return month >= firstMonth && (closedMonth === null || month <= closedMonth);
}
