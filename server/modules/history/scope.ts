import { sql } from 'kysely';
import type { WalletType } from '#contract/wallets.ts';
import type { Reader } from '#server/db/tx.ts';
import type { CompanySettings } from '#server/modules/settings/index.ts';

/** Whose history is read. */
export interface HistoryScope {
  ownerId: string;
  /** All they have or had: what happened in a closed one is still their history. */
  accounts: readonly OwnAccount[];
  settings: CompanySettings;
}

export interface OwnAccount {
  /** The table's check allows exactly these. */
  type: WalletType;
  ledgerAccountId: string;
  /** The kinds of posting it has had; for a filter by another its entries need not be read. */
  kinds: readonly string[];
}

/**
 * The accounts are read first, and their ids stand in the statements: only so does the planner know
 * which account has a hundred entries and which has a hundred thousand.
 */
export async function historyScope(
  reader: Reader,
  ownerId: string,
  settings: CompanySettings,
): Promise<HistoryScope> {
  const { rows } = await sql<OwnAccount>`
    SELECT type, ledger_account_id,
           ARRAY(SELECT DISTINCT kind FROM ledger_total
                  WHERE account_id = wallet.ledger_account_id) AS kinds
      FROM wallet WHERE user_id = ${ownerId}`.execute(reader);
  return { ownerId, accounts: rows, settings };
}
