import { createHash } from 'node:crypto';
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
function leafOf(
  format: string,
  fields: readonly RawBuilder<unknown>[],
  salt: RawBuilder<unknown> = sql`salt`,
): RawBuilder<Buffer> {
  return sql<Buffer>`
    sha256('\\x00'::bytea || ${salt}
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

const TRANSACTION_FIELDS = [
  sql`one.id, one.kind, one.reference, one.actor_id, one.subject_id, one.reverses_id`,
  micros('one.effective_at'),
  micros('one.recorded_at'),
];

/** What a transaction's own salt is derived for, beside the salts of its entries. */
const WHOLE = 'transaction';

/** A salt of 32 bytes made of the kept one: who knows it knows no other that is made of the same. */
const saltFor = (purpose: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`sha256(salt || convert_to(${purpose}, 'UTF8'))`;

/**
 * Number and balance of an entry, hashed under a salt of its own. So an employee can be shown a
 * transaction of theirs whole, and of the other side the amount alone (docs/decisions/028).
 */
const entryCommitment = sql`
  sha256(${saltFor(sql`entry.account_id || '.' || entry.account_version`)}
         || convert_to(jsonb_build_array('purser-entry-2', entry.account_version::text,
                                         entry.balance_after::text)::text, 'UTF8'))`;

/**
 * Of a transaction, where `one` is its row: everything that moves money and nothing that may name a
 * person, so description and metadata stay out.
 */
export const transactionLeaf: RawBuilder<Buffer> = leafOf(
  'purser-transaction-2',
  [
    ...TRANSACTION_FIELDS,
    sql`(SELECT jsonb_agg(jsonb_build_array(entry.account_id, entry.amount::text,
                                            encode(${entryCommitment}, 'hex'))
                          ORDER BY entry.account_id, entry.account_version)
           FROM ledger_entry AS entry WHERE entry.transaction_id = one.id)`,
  ],
  saltFor(sql.lit(WHOLE)),
);

/** As it was before entries were hashed each for itself; what is sealed so stays so. */
export const formerTransactionLeaf: RawBuilder<Buffer> = leafOf('purser-transaction-1', [
  ...TRANSACTION_FIELDS,
  sql`(SELECT jsonb_agg(jsonb_build_array(entry.account_id, entry.account_version::text,
                                          entry.amount::text, entry.balance_after::text)
                        ORDER BY entry.account_id, entry.account_version)
         FROM ledger_entry AS entry WHERE entry.transaction_id = one.id)`,
]);

/** The salt of a transaction's leaf of format 2. */
export function transactionSalt(salt: Buffer): Buffer {
  return createHash('sha256').update(salt).update(WHOLE).digest();
}

interface SealedContent {
  accountId: string;
  number: bigint;
  balanceAfter: bigint;
}

/** The salt of an entry in a leaf of format 2, and what it makes of number and balance. */
export function commitEntry(
  salt: Buffer,
  { accountId, number, balanceAfter }: SealedContent,
): { salt: Buffer; commitment: Buffer } {
  const own = createHash('sha256').update(salt).update(`${accountId}.${number}`).digest();
  // As PostgreSQL writes an array of JSON: a space after each comma.
  const content = `["purser-entry-2", "${number}", "${balanceAfter}"]`;
  return { salt: own, commitment: createHash('sha256').update(own).update(content).digest() };
}

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
