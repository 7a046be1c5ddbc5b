import type { RawBuilder } from 'kysely';
import { rowHash } from '#server/db/row-hash.ts';

/**
 * SQL of the hash over all that a bank account is paid by and shown as, for a table of that name or
 * alias. It is recorded with every change, so that the row can be compared with what was entered.
 */
export function contentHash(table: string): RawBuilder<string> {
  return rowHash(table, {
    values: [
      'id',
      'user_id',
      'bank_name',
      'account_type',
      'last4',
      'routing_number',
      'holder_name',
      'hash_key_id',
    ],
    bytes: ['account_number_hash', 'account_number_encrypted'],
  });
}
