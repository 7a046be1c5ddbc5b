import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { ACCOUNTS, SEALED_KINDS } from '../sealing/sealed-kinds.ts';
import type { SealedKind } from '../sealing/sealed-kinds.ts';
import { entriesIn, idsIn } from './check.ts';
import type { Check, ChecksFor, Scope } from './check.ts';

/**
 * Checks that every row is either sealed or waiting, and still equals what was sealed; and that no
 * event was inserted into the audit trail later.
 */
export const sealChecks: ChecksFor = (scope) => [
  ...SEALED_KINDS.map((kind) =>
    scope.afterHeight === null ? sealedOrWaiting(kind) : sealedOnce(kind, scope.afterHeight),
  ),
  ...SEALED_KINDS.map((kind) => sealedContent(kind, scope)),
  scope.afterHeight === null ? auditOrder : newAuditOrder(scope.afterHeight),
];

const nameOfMark = (kind: SealedKind) => `${kind.name}-sealed-or-waiting`;

function sealedOrWaiting(kind: SealedKind): Check {
  const [rows, seals, queue] = [kind.rows, kind.seals, kind.queue].map((name) => sql.table(name));
  const key = sql.ref(kind.key);
  return {
    name: nameOfMark(kind),
    query: sql`
      SELECT coalesce(one.id, mark.id)::text AS id,
             CASE WHEN one.id IS NULL THEN 'is sealed or waits for it but does not exist'
                  WHEN mark.id IS NULL THEN 'is neither sealed nor waits for it'
                  ELSE 'is sealed and waits for it, too' END AS what
        FROM ${rows} AS one
        FULL JOIN (SELECT id, count(*) AS count
                     FROM (SELECT ${key} AS id FROM ${seals}
                           UNION ALL SELECT ${key} FROM ${queue}) AS either
                    GROUP BY id) AS mark
          ON mark.id = one.id
       WHERE one.id IS NULL OR mark.count IS DISTINCT FROM 1`,
  };
}

/** For a part of the ledger. A row without either mark cannot be found through its marks. */
function sealedOnce(kind: SealedKind, afterHeight: bigint): Check {
  const [rows, seals, queue] = [kind.rows, kind.seals, kind.queue].map((name) => sql.table(name));
  const key = sql.ref(kind.key);
  return {
    name: nameOfMark(kind),
    query: sql`
      SELECT new.id::text AS id,
             CASE WHEN one.id IS NULL THEN 'is sealed or waits for it but does not exist'
                  ELSE 'is sealed and waits for it, too' END AS what
        FROM (${idsIn(kind, afterHeight)}) AS new
        LEFT JOIN ${rows} AS one ON one.id = new.id
       WHERE one.id IS NULL
          OR (EXISTS (SELECT FROM ${seals} WHERE ${key} = new.id)
              AND EXISTS (SELECT FROM ${queue} WHERE ${key} = new.id))`,
  };
}

/** For a part of the ledger: rows sealed in it, and the openings of all accounts it touches. */
function sealedContent(kind: SealedKind, scope: Scope): Check {
  const [rows, seals, key] = [sql.table(kind.rows), sql.table(kind.seals), sql.ref(kind.key)];
  return {
    name: `sealed-${kind.name}`,
    query: sql`
      SELECT sealed.id::text AS id,
             CASE WHEN block.height IS NULL THEN 'is sealed in a block that does not exist: '
                  ELSE 'differs from what was sealed in block ' END || sealed.height AS what
        FROM (SELECT seal.${key} AS id, seal.height, seal.leaf, ${recomputed(kind)} AS recomputed
                FROM ${seals} AS seal LEFT JOIN ${rows} AS one ON one.id = seal.${key}
               WHERE ${isSealInScope(kind, scope)}) AS sealed
        LEFT JOIN ledger_block AS block ON block.height = sealed.height
       WHERE sealed.leaf IS DISTINCT FROM sealed.recomputed OR block.height IS NULL`,
  };
}

/** Leaf in the format that matches, if one does. A leaf begins with the name of its format. */
function recomputed({ leaf, formerLeaf }: SealedKind): RawBuilder<unknown> {
  if (formerLeaf === null) return leaf;
  return sql`CASE WHEN seal.leaf = ${leaf} THEN seal.leaf ELSE ${formerLeaf} END`;
}

function isSealInScope(kind: SealedKind, scope: Scope): RawBuilder<unknown> {
  if (scope.afterHeight === null) return sql`true`;
  if (kind !== ACCOUNTS) return sql`seal.height > ${scope.afterHeight}`;
  return sql`seal.account_id IN (${idsIn(ACCOUNTS, scope.afterHeight)}
                                 UNION SELECT account_id FROM ${entriesIn(scope)} AS entry)`;
}

/**
 * Allowed difference between the times of audit events and their numbers and blocks. Transactions
 * commit in another order than they begin, and a clock may be set back.
 */
const TOLERANCE = sql`interval '15 minutes'`;

/**
 * Checks that numbers, times and blocks of audit events agree about their order. Numbers alone do
 * not show an event that was inserted later, because transactions that were rolled back leave gaps.
 */
const auditOrder: Check = {
  name: 'audit-order',
  query: sql`
    SELECT id::text AS id, format('is of %s, and one with a lower number is of %s', at,
                                  latest_before) AS what
      FROM (SELECT id, at, max(at) OVER (ORDER BY id ROWS BETWEEN UNBOUNDED PRECEDING
                                                          AND 1 PRECEDING) AS latest_before
              FROM audit_event) AS event
     WHERE at < latest_before - ${TOLERANCE}
    UNION ALL
    SELECT event.id::text, format('is of %s and sealed in block %s, after events of %s', event.at,
                                  block.height, block.latest_before)
      FROM (SELECT height, max(latest) OVER (ORDER BY height ROWS BETWEEN UNBOUNDED PRECEDING
                                                                   AND 1 PRECEDING) AS latest_before
              FROM (SELECT seal.height, max(event.at) AS latest
                      FROM audit_seal AS seal
                      JOIN audit_event AS event ON event.id = seal.audit_event_id
                     GROUP BY seal.height) AS block) AS block
      JOIN audit_seal AS seal ON seal.height = block.height
      JOIN audit_event AS event ON event.id = seal.audit_event_id
     WHERE event.at < block.latest_before - ${TOLERANCE}`,
};

/**
 * The same check for new events, against the event with the highest number among those sealed
 * before.
 */
const newAuditOrder = (afterHeight: bigint): Check => ({
  name: auditOrder.name,
  query: sql`
    SELECT event.id::text AS id,
           format('is of %s, and event %s, sealed before it, is of %s', event.at, earlier.id,
                  earlier.at) AS what
      FROM (SELECT audit_event_id AS id FROM audit_seal WHERE height > ${afterHeight}
            UNION SELECT audit_event_id FROM audit_unsealed) AS new
      JOIN audit_event AS event ON event.id = new.id
     CROSS JOIN (SELECT id, at FROM audit_event
                  WHERE id = (SELECT audit_event_id FROM audit_seal WHERE height <= ${afterHeight}
                               ORDER BY audit_event_id DESC LIMIT 1)) AS earlier
     WHERE event.at < earlier.at - ${TOLERANCE}
        OR (event.id < earlier.id AND event.at > earlier.at + ${TOLERANCE})`,
});
