import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';

/** A time as whole microseconds since 1970: the same text whatever the session's settings. */
const micros = (column: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`(extract(epoch FROM ${column}) * 1000000)::bigint::text`;

/**
 * The leaf of a transaction in a block's Merkle tree, as an expression in SQL where `one` is the
 * row of ledger_transaction and `salt` its salt: SHA-256 over a zero byte (RFC 6962's mark of a
 * leaf), the salt, and the content as a JSON array.
 *
 * The content is everything that moves money and nothing that may name a person: description and
 * metadata stay out. It is hashed by the database, so that sealing and verifying ship no rows; the
 * text of the expression is here, not in a function of the database, so that who can change the
 * one cannot change the other.
 */
export const leafExpression: RawBuilder<Buffer> = sql<Buffer>`
  sha256('\\x00'::bytea || salt || convert_to(jsonb_build_array(
    'purser-transaction-1', one.id, one.kind, one.reference, one.actor_id, one.subject_id,
    one.reverses_id, ${micros(sql.raw('one.effective_at'))}, ${micros(sql.raw('one.recorded_at'))},
    (SELECT jsonb_agg(jsonb_build_array(entry.account_id, entry.account_version::text,
                                        entry.amount::text, entry.balance_after::text)
                      ORDER BY entry.account_id, entry.account_version)
       FROM ledger_entry AS entry WHERE entry.transaction_id = one.id))::text, 'UTF8'))`;
