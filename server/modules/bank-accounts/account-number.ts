import type { LookupHash, Place, Vault } from '#server/vault/vault.ts';

const PURPOSE = 'bank-account-number';

/** Place of a bank account's sealed number. */
export function accountNumberPlace(bankAccountId: string): Place {
  return { table: 'bank_account', column: 'account_number_encrypted', rowId: bankAccountId };
}

/** Identity of a bank account: its number at its bank. */
export function accountHash(vault: Vault, routingNumber: string, number: string): LookupHash {
  return vault.lookupHash(PURPOSE, `${routingNumber}:${number}`);
}

/** The same under every key at hand, to find it by. */
export function accountHashes(vault: Vault, routingNumber: string, number: string): Buffer[] {
  return vault.lookupHashes(PURPOSE, `${routingNumber}:${number}`).map(({ hash }) => hash);
}
