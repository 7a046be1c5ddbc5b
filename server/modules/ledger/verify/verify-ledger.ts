import type { KeyObject } from 'node:crypto';
import { sql } from 'kysely';
import type { Db, Reader, Tx } from '#server/db/tx.ts';
import { balanceChecks } from './balance-checks.ts';
import type { Check, Finding } from './balance-checks.ts';
import { transactionChecks } from './transaction-checks.ts';
import { sealedContentCheck, verifyBlocks } from './verify-seals.ts';

export interface VerifyOptions {
  /** The key (or its private half) that must have signed every block. Else any key may have. */
  publicKey?: KeyObject;
  /** A block's root that was printed or mailed earlier, as hex: it must be in the chain. */
  exportedRoot?: string;
}

/** One thing that is wrong. */
export interface Problem extends Finding {
  /** Which check found it. */
  check: string;
}

/** How many rows were looked at. */
export interface LedgerCounts {
  accounts: bigint;
  transactions: bigint;
  entries: bigint;
  holds: bigint;
  blocks: bigint;
  sealed: bigint;
  unsealed: bigint;
}

/** The money of one currency, in minor units. */
export interface CurrencySums {
  currency: string;
  /** In the accounts of people; system accounts have the opposite. */
  ownedMinor: bigint;
  heldMinor: bigint;
}

/** The newest block. */
export interface LedgerHead {
  height: bigint;
  /** As hex. */
  root: string;
  sealedAt: Date;
}

export interface Verification {
  /** True when nothing is wrong. */
  ok: boolean;
  /** What is wrong, at most 20 findings a check. */
  problems: Problem[];
  counts: LedgerCounts;
  sums: CurrencySums[];
  /** Absent until something is sealed. */
  head: LedgerHead | undefined;
}

const FINDINGS_PER_CHECK = 20;

/**
 * Recounts the whole ledger, as of one moment, while it is in use: every balance, running balance,
 * hold and total from its rows, and the seals from their content. Changes nothing. The database
 * does the counting, so that this process stays small however large the ledger is.
 */
export function verifyLedger(db: Db, options: VerifyOptions = {}): Promise<Verification> {
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute((tx) => verifySnapshot(tx as Tx, options));
}

async function verifySnapshot(tx: Tx, options: VerifyOptions): Promise<Verification> {
  const problems: Problem[] = [];
  for (const { name, query } of [...balanceChecks, ...transactionChecks, sealedContentCheck]) {
    for (const finding of await ask(tx, query)) problems.push({ check: name, ...finding });
  }
  await verifyBlocks(tx, options.publicKey, (check, finding) => {
    const found = problems.filter((problem) => problem.check === check).length;
    if (found < FINDINGS_PER_CHECK) problems.push({ check, ...finding });
  });
  const { exportedRoot } = options;
  if (exportedRoot !== undefined && !(await hasRoot(tx, exportedRoot))) {
    problems.push({
      check: 'exported root',
      id: exportedRoot,
      what: 'no block has this root: what was sealed under it has been replaced or removed',
    });
  }
  return {
    ok: problems.length === 0,
    problems,
    counts: await count(tx),
    sums: await sum(tx),
    head: await readHead(tx),
  };
}

async function ask(tx: Tx, query: Check['query']): Promise<Finding[]> {
  const { rows } = await sql<Finding>`
    SELECT id, what FROM (${query}) AS finding LIMIT ${FINDINGS_PER_CHECK}`.execute(tx);
  return rows;
}

async function hasRoot(tx: Tx, root: string): Promise<boolean> {
  const { rows } = await sql`
    SELECT FROM ledger_block WHERE encode(root, 'hex') = lower(${root})`.execute(tx);
  return rows.length > 0;
}

async function count(tx: Tx): Promise<LedgerCounts> {
  const { rows } = await sql<LedgerCounts>`
    SELECT (SELECT count(*) FROM ledger_account) AS accounts,
           (SELECT count(*) FROM ledger_transaction) AS transactions,
           (SELECT count(*) FROM ledger_entry) AS entries,
           (SELECT count(*) FROM ledger_hold) AS holds,
           (SELECT count(*) FROM ledger_block) AS blocks,
           (SELECT count(*) FROM ledger_seal) AS sealed,
           (SELECT count(*) FROM ledger_unsealed) AS unsealed`.execute(tx);
  const [counts] = rows;
  if (counts === undefined) throw new Error('a row of counts was expected');
  return counts;
}

async function sum(tx: Tx): Promise<CurrencySums[]> {
  const { rows } = await sql<CurrencySums>`
    SELECT currency, coalesce(sum(posted) FILTER (WHERE owner_id IS NOT NULL), 0)::bigint
             AS owned_minor,
           sum(held)::bigint AS held_minor
      FROM ledger_account GROUP BY currency ORDER BY currency`.execute(tx);
  return rows;
}

/** The newest block, if anything is sealed: its root is what is printed and mailed. */
export async function readHead(reader: Reader): Promise<LedgerHead | undefined> {
  const { rows } = await sql<LedgerHead>`
    SELECT height, encode(root, 'hex') AS root, sealed_at
      FROM ledger_block ORDER BY height DESC LIMIT 1`.execute(reader);
  return rows[0];
}
