import type { Place } from '#server/vault/vault.ts';

/** Where a wallet's sealed account number rests. */
export function accountNumberPlace(walletId: string): Place {
  return { table: 'wallet', column: 'account_number_encrypted', rowId: walletId };
}
