import type { LookupHash, Place, Vault } from '#server/vault/vault.ts';

const PURPOSE = 'bank-account-number';

/** Where a bank account's sealed number rests. */
export function accountNumberPlace(bankAccountId: string): Place {
  return { table: 'bank_account', column: 'account_number_encrypted', rowId: bankAccountId };
}

/** What makes a bank account the same one: its number at its bank. */
export function accountHash(vault: Vault, routingNumber: string, number: string): LookupHash {
  return vault.lookupHash(PURPOSE, `${routingNumber}:${number}`);
}

/** The same under every key at hand, to find it by. */
export function accountHashes(vault: Vault, routingNumber: string, number: string): Buffer[] {
  return vault.lookupHashes(PURPOSE, `${routingNumber}:${number}`).map(({ hash }) => hash);
}
