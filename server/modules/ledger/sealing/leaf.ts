import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';

/**
 * The leaf of a row in a block's Merkle tree, as an expression in SQL where `salt` is its salt:
 * SHA-256 over a zero byte (RFC 6962's mark of a leaf), the salt, and the content as PostgreSQL's
 * text of a JSON array that begins with the name of the format.
 *
 * It is hashed by the database, so that sealing and verifying ship no rows; the text of the
 * expression is here, not in a function of the database, so that who can change the one cannot
 * change the other.
 */
function leafOf(format: string, fields: readonly RawBuilder<unknown>[]): RawBuilder<Buffer> {
  return sql<Buffer>`
    sha256('\\x00'::bytea || salt
           || convert_to(jsonb_build_array(${sql.lit(format)}, ${sql.join(fields)})::text, 'UTF8'))`;
}

/**
 * A time as whole microseconds since 1970: the same text whatever the session's settings. A time at
 * infinity has no number; it is refused today, and a row that has one must not stop the sealer.
 */
const micros = (column: string): RawBuilder<unknown> => {
  const time = sql.raw(column);
  return sql`CASE WHEN isfinite(${time}) THEN (extract(epoch FROM ${time}) * 1000000)::bigint::text
                  ELSE ${time}::text END`;
};

/**
 * Of a transaction, where `one` is its row: everything that moves money and nothing that may name a
 * person, so description and metadata stay out.
 */
export const transactionLeaf: RawBuilder<Buffer> = leafOf('purser-transaction-1', [
  sql`one.id, one.kind, one.reference, one.actor_id, one.subject_id, one.reverses_id`,
  micros('one.effective_at'),
  micros('one.recorded_at'),
  sql`(SELECT jsonb_agg(jsonb_build_array(entry.account_id, entry.account_version::text,
                                          entry.amount::text, entry.balance_after::text)
                        ORDER BY entry.account_id, entry.account_version)
         FROM ledger_entry AS entry WHERE entry.transaction_id = one.id)`,
]);

/** Of an account's opening, where `one` is its row: whose it is, and its limit. */
export const accountLeaf: RawBuilder<Buffer> = leafOf('purser-account-1', [
  sql`one.id, one.code, one.kind, one.owner_id, one.currency, one.min_available::text`,
  micros('one.created_at'),
]);

/**
 * Of an audit event, where `one` is its row: the whole of it. Where it came from is kept apart
 * (audit_origin), so that it can be erased.
 */
export const auditLeaf: RawBuilder<Buffer> = leafOf('purser-audit-1', [
  sql`one.id::text`,
  micros('one.at'),
  sql`one.actor_id, one.actor_role, one.action, one.subject_type, one.subject_id, one.person_id`,
  sql`one.details, one.request_id`,
]);
