import type { Place } from '#server/vault/vault.ts';

/** Column with a wallet's encrypted account number. */
export function accountNumberPlace(walletId: string): Place {
  return { table: 'wallet', column: 'account_number_encrypted', rowId: walletId };
}
