import type { RawBuilder } from 'kysely';
import { rowHash } from '#server/db/row-hash.ts';

/**
 * SQL of the hash over a wallet's owner and the account number for payments from outside, for a
 * table with this name or alias. None of these fields changes once the wallet is opened.
 */
export function contentHash(table: string): RawBuilder<string> {
  return rowHash(table, {
    values: ['id', 'user_id', 'type', 'ledger_account_id', 'last4', 'hash_key_id'],
    bytes: ['account_number_hash', 'account_number_encrypted'],
  });
}
