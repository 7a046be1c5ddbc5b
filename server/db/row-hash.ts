import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';

/**
 * SQL of the SHA-256, as hex, over columns of a row, for a table with this name or alias. The audit
 * trail records it where it may not record the values themselves. To keep the values from being
 * guessed from the hash, one of the columns in bytes is encrypted, which makes it random.
 */
export function rowHash(
  table: string,
  { values, bytes }: { values: readonly string[]; bytes: readonly string[] },
): RawBuilder<string> {
  const columns = [
    ...values.map((name) => sql.ref(`${table}.${name}`)),
    ...bytes.map((name) => sql`encode(${sql.ref(`${table}.${name}`)}, 'hex')`),
  ];
  return sql<string>`encode(sha256(convert_to(
    jsonb_build_array(${sql.join(columns)})::text, 'UTF8')), 'hex')`;
}
