import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';

/**
 * Leaf of a row in a block's Merkle tree, as an SQL expression where `salt` is the row's salt:
 * SHA-256 over a zero byte (RFC 6962's mark of a leaf), the salt, and the content as PostgreSQL's
 * text of a JSON array that begins with the name of the format. `json` and not `jsonb`, whose text is the same and takes longer.
 *
 * The database computes the hash, so that sealing and verifying transfer no rows. The expression's
 * text is here and not in a function of the database, so that a person who can change the rows
 * cannot change the expression.
 */
function leafOf(
  format: string,
  fields: readonly RawBuilder<unknown>[],
  salt: RawBuilder<unknown> = sql`salt`,
): RawBuilder<Buffer> {
  return sql<Buffer>`
    sha256('\\x00'::bytea || ${salt}
           || convert_to(json_build_array(${sql.lit(format)}, ${sql.join(fields)})::text, 'UTF8'))`;
}

/**
 * A time as whole microseconds since 1970: the same text whatever the session's settings. An
 * infinite time has no number. The ledger refuses it today, and a row that has one must not stop
 * the sealer.
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

/** Purpose from which a transaction's own salt is derived, next to the salts of its entries. */
const WHOLE = 'transaction';

/**
 * A salt of 32 bytes derived from the stored one. It reveals nothing about the other derived salts.
 */
const saltFor = (purpose: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`sha256(salt || convert_to(${purpose}, 'UTF8'))`;

/**
 * Number and balance of an entry, hashed under a salt of their own. An employee can then see all of
 * their transaction, but only the amount of the other side (docs/decisions/029).
 */
const entryCommitment = sql`
  sha256(${saltFor(sql`entry.account_id || '.' || entry.account_version`)}
         || convert_to(json_build_array('purser-entry-2', entry.account_version::text,
                                         entry.balance_after::text)::text, 'UTF8'))`;

/**
 * Leaf of a transaction, whose row is named `one`: all fields that move money and none that may
 * name a person, so description and metadata are left out.
 */
export const transactionLeaf: RawBuilder<Buffer> = leafOf(
  'purser-transaction-2',
  [
    ...TRANSACTION_FIELDS,
    sql`(SELECT json_agg(json_build_array(entry.account_id, entry.amount::text,
                                            encode(${entryCommitment}, 'hex'))
                          ORDER BY entry.account_id, entry.account_version)
           FROM ledger_entry AS entry WHERE entry.transaction_id = one.id)`,
  ],
  saltFor(sql.lit(WHOLE)),
);

/** Format 1, before each entry had a hash of its own. Rows sealed in it stay in it. */
export const formerTransactionLeaf: RawBuilder<Buffer> = leafOf('purser-transaction-1', [
  ...TRANSACTION_FIELDS,
  sql`(SELECT json_agg(json_build_array(entry.account_id, entry.account_version::text,
                                          entry.amount::text, entry.balance_after::text)
                        ORDER BY entry.account_id, entry.account_version)
         FROM ledger_entry AS entry WHERE entry.transaction_id = one.id)`,
]);

/** Salt of a transaction's leaf in format 2. */
export function transactionSalt(salt: Buffer): Buffer {
  return createHash('sha256').update(salt).update(WHOLE).digest();
}

interface SealedContent {
  accountId: string;
  number: bigint;
  balanceAfter: bigint;
}

/**
 * Salt of an entry in a leaf of format 2, and the hash of the entry's number and balance under it.
 */
export function commitEntry(
  salt: Buffer,
  { accountId, number, balanceAfter }: SealedContent,
): { salt: Buffer; commitment: Buffer } {
  const own = createHash('sha256').update(salt).update(`${accountId}.${number}`).digest();
  // PostgreSQL's text of a JSON array has a space after each comma.
  const content = `["purser-entry-2", "${number}", "${balanceAfter}"]`;
  return { salt: own, commitment: createHash('sha256').update(own).update(content).digest() };
}

/** Leaf of an account, whose row is named `one`: its owner and its limit, as opened. */
export const accountLeaf: RawBuilder<Buffer> = leafOf('purser-account-1', [
  sql`one.id, one.code, one.kind, one.owner_id, one.currency, one.min_available::text`,
  micros('one.created_at'),
]);

/**
 * Leaf of an audit event, whose row is named `one`: all of it. The origin of the request is in
 * another table (audit_origin), so that it can be erased.
 */
export const auditLeaf: RawBuilder<Buffer> = leafOf('purser-audit-1', [
  sql`one.id::text`,
  micros('one.at'),
  sql`one.actor_id, one.actor_role, one.action, one.subject_type, one.subject_id, one.person_id`,
  sql`one.details, one.request_id`,
]);
