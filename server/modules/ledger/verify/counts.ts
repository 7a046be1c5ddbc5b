import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { Tx } from '#server/db/tx.ts';
import { invariant } from '#server/lib/errors.ts';
import { AUDIT_EVENTS, SEALED_KINDS, TRANSACTIONS } from '../sealing/sealed-kinds.ts';
import type { SealedKind } from '../sealing/sealed-kinds.ts';
import { accountsIn, entriesIn, idsIn } from './check.ts';
import type { Scope } from './check.ts';

/** Number of rows. For a part of the ledger, the number of rows examined. */
export interface LedgerCounts {
  accounts: bigint;
  transactions: bigint;
  entries: bigint;
  /** For a part of the ledger, those that its transactions captured. */
  holds: bigint;
  auditEvents: bigint;
  blocks: bigint;
  /** Sealed and waiting rows of all kinds together. */
  sealed: bigint;
  unsealed: bigint;
}

/** The money of one currency, in minor units. */
export interface CurrencySums {
  currency: string;
  /** Sum of people's accounts. System accounts have the opposite sum. */
  ownedMinor: bigint;
  heldMinor: bigint;
}

export const NO_COUNTS: LedgerCounts = {
  accounts: 0n,
  transactions: 0n,
  entries: 0n,
  holds: 0n,
  auditEvents: 0n,
  blocks: 0n,
  sealed: 0n,
  unsealed: 0n,
};

export async function countRows(tx: Tx, scope: Scope): Promise<LedgerCounts> {
  const after = scope.afterHeight ?? 0n;
  const rowsOf = (kind: SealedKind) =>
    scope.afterHeight === null ? sql.table(kind.rows) : sql`(${idsIn(kind, after)})`;
  const holds =
    scope.afterHeight === null
      ? sql`ledger_hold`
      : sql`ledger_hold WHERE transaction_id IN (${idsIn(TRANSACTIONS, after)})`;
  const seals = SEALED_KINDS.map(({ seals: table }) =>
    scope.afterHeight === null
      ? countOf(sql.table(table))
      : countOf(sql`${sql.table(table)} WHERE height > ${after}`),
  );
  const waiting = SEALED_KINDS.map(({ queue }) => countOf(sql.table(queue)));
  const { rows } = await sql<LedgerCounts>`
    SELECT ${countOf(sql`${accountsIn(scope)} AS account`)} AS accounts,
           ${countOf(sql`${rowsOf(TRANSACTIONS)} AS one`)} AS transactions,
           ${countOf(sql`${entriesIn(scope)} AS entry`)} AS entries,
           ${countOf(holds)} AS holds,
           ${countOf(sql`${rowsOf(AUDIT_EVENTS)} AS one`)} AS audit_events,
           ${countOf(sql`ledger_block WHERE height > ${after}`)} AS blocks,
           ${sql.join(seals, sql` + `)} AS sealed,
           ${sql.join(waiting, sql` + `)} AS unsealed`.execute(tx);
  return invariant(rows[0], 'counting answers a row');
}

function countOf(from: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`(SELECT count(*) FROM ${from})`;
}

export async function sumMoney(tx: Tx): Promise<CurrencySums[]> {
  const { rows } = await sql<CurrencySums>`
    SELECT currency, coalesce(sum(posted) FILTER (WHERE owner_id IS NOT NULL), 0)::bigint
             AS owned_minor,
           sum(held)::bigint AS held_minor
      FROM ledger_account GROUP BY currency ORDER BY currency`.execute(tx);
  return rows;
}
