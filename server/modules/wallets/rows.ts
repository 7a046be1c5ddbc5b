import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { WALLET_TYPES } from '#contract/wallets.ts';
import type { WalletType } from '#contract/wallets.ts';

/** A wallet as stored, without the account number. */
export interface WalletRecord {
  id: string;
  userId: string;
  type: WalletType;
  ledgerAccountId: string;
  last4: string;
}

/** SQL that sorts rows by their type of wallet in the order of screens, the salary wallet first. @param column SQL of the type */
export function byWalletType(column: string): RawBuilder<number> {
  return sql<number>`array_position(${[...WALLET_TYPES]}::text[], ${sql.raw(column)})`;
}
