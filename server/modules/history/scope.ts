import { sql } from 'kysely';
import type { WalletType } from '#contract/wallets.ts';
import type { Reader } from '#server/db/tx.ts';
import type { CompanySettings } from '#server/modules/settings/index.ts';

/** Person and accounts whose history is read. */
export interface HistoryScope {
  ownerId: string;
  /** All accounts they have or had: events in a closed one are still their history. */
  accounts: readonly OwnAccount[];
  settings: CompanySettings;
}

export interface OwnAccount {
  /** The table's check allows exactly these. */
  type: WalletType;
  ledgerAccountId: string;
  /** Kinds of posting it has had. A filter by another kind does not need to read its entries. */
  kinds: readonly string[];
}

/**
 * The accounts are read first, and their ids are constants in the statements. Only then does the
 * planner know which account has a hundred entries and which has a hundred thousand.
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
