import { sql } from 'kysely';
import type { Db, Tx } from '#server/db/tx.ts';
import type { ListedRecord, RootStore, Unreadable } from '#server/lib/root-store.ts';
import { errorCode } from '#server/lib/start-error.ts';
import { readHead } from '../sealing/chain.ts';
import type { LedgerHead } from '../sealing/chain.ts';
import { readSigners } from '../sealing/trusted-keys.ts';
import type { TrustedKeys } from '../sealing/trusted-keys.ts';
import { unsealedAgeS } from '../sealing/unsealed-age.ts';
import { balanceChecks } from './balance-checks.ts';
import { reporting, survivingAsk } from './cannot-ask.ts';
import { checkCatalog } from './catalog-check.ts';
import { findingsOf } from './check.ts';
import type { Check, Finding, Scope } from './check.ts';
import { countRows, NO_COUNTS, sumMoney } from './counts.ts';
import type { CurrencySums, LedgerCounts } from './counts.ts';
import { gatherProblems } from './problems.ts';
import type { Problem, Report } from './problems.ts';
import { sealChecks } from './seal-checks.ts';
import { readingAt, readOnly } from './snapshot.ts';
import type { Ask, Pace } from './snapshot.ts';
import { transactionChecks } from './transaction-checks.ts';
import { verifyBlocks } from './verify-blocks.ts';
import { compareRoot, compareRoots, noRoots } from './verify-roots.ts';
import type { ComparedRoots } from './verify-roots.ts';

export interface VerifyOptions {
  /**
   * Keys that may have signed blocks. Without them any signer is accepted, and `isKeyChecked` is
   * false.
   */
  keys?: TrustedKeys;
  /** Place that roots are exported to. Each must be in the chain. */
  roots?: RootStore;
  /** Reads further roots, which were kept elsewhere. Each must be in the chain, too. */
  readKeptRoots?: () => AsyncIterable<ListedRecord | Unreadable>;
  /** Roots of any blocks, as hex, that must be in the chain. */
  keptHashes?: readonly string[];
  /** Maximum age of a row that waits to be sealed; an older one is a fault. Default: no limit. */
  waitsAtMostMs?: number;
  /** Default: everything. */
  scope?: Scope;
  /**
   * Builds the checks that other modules run in the same snapshot. It may read the database for
   * them.
   */
  furtherChecks?: (tx: Tx, scope: Scope) => Promise<readonly Check[]>;
  /** Default: `snapshot`. */
  pace?: Pace;
  /** Ends a gentle verification before its next query, by throwing its reason. */
  signal?: AbortSignal | undefined;
}

/** Result of a verification; plain values, to be stored as they are. */
export interface Verification {
  /** True when there are no problems. */
  ok: boolean;
  /** Problems found, at most 20 findings a check. */
  problems: Problem[];
  /** Null: everything was verified. Otherwise only rows sealed after this block. */
  afterHeight: bigint | null;
  /** The newest block, up to which all is verified; absent until something is sealed. */
  head: LedgerHead | undefined;
  /** True if signatures were checked against known keys. */
  isKeyChecked: boolean;
  /** Result of the comparison with the roots outside the database. */
  roots: ComparedRoots;
  counts: LedgerCounts;
  /** Empty for a part of the ledger. */
  sums: CurrencySums[];
  startedAt: Date;
  durationMs: number;
}

/** Thrown when the database has no Purser tables yet. */
export class NoLedgerError extends Error {
  override readonly name = 'NoLedgerError';
}

const WHOLE: Scope = { afterHeight: null };
const UNDEFINED_TABLE = '42P01';

/**
 * Recounts the ledger, or the rows sealed after a block, while it is in use. It checks every
 * balance, running balance, hold and total against its rows; the seals of transactions, accounts
 * and audit events against their content; the chain of blocks against the exported roots; and the
 * database itself, its functions, triggers and rights, against the migrations. Changes nothing. The
 * database does the counting, so that this process needs little memory however large the ledger is.
 *
 * @throws {NoLedgerError}
 */
export async function verifyLedger(db: Db, options: VerifyOptions = {}): Promise<Verification> {
  const startedAt = new Date();
  const startedMs = performance.now();
  const { keys, scope = WHOLE } = options;
  const { problems, report } = gatherProblems();
  await readOnly(db, refuseEmptyDatabase);
  // Roots are read before the snapshot begins. The snapshot would not have a block whose root is
  // exported after that.
  const roots = await verifyRoots(
    survivingAsk((question) => readOnly(db, question)),
    options,
    scope,
    report,
  );
  const found = await readingAt(
    db,
    { pace: options.pace ?? 'snapshot', signal: options.signal },
    (ask) => verifyContents(survivingAsk(ask), options, scope, report),
  );
  return {
    ok: problems.length === 0,
    problems,
    afterHeight: scope.afterHeight,
    isKeyChecked: keys !== undefined,
    roots,
    ...found,
    startedAt,
    durationMs: Math.round(performance.now() - startedMs),
  };
}

async function verifyRoots(
  ask: Ask,
  options: VerifyOptions,
  scope: Scope,
  report: Report,
): Promise<ComparedRoots> {
  const readRecords = () => recordsToCompare(options, scope);
  const { keys } = options;
  const reading = keys && ask((tx) => readSigners(tx, keys));
  const signers = reading && (await reporting(report, 'block-chain', reading, undefined));
  const comparing = compareRoots(ask, readRecords, signers, report);
  const roots = await reporting(report, 'exported-root', comparing, noRoots());
  for (const root of options.keptHashes ?? []) {
    const isThere = await reporting(report, 'exported-root', compareRoot(ask, root, report), false);
    roots.count += 1n;
    if (!isThere) roots.contradictions += 1n;
  }
  return roots;
}

async function verifyContents(
  ask: Ask,
  { keys, waitsAtMostMs, furtherChecks }: VerifyOptions,
  scope: Scope,
  report: Report,
): Promise<Pick<Verification, 'head' | 'counts' | 'sums'>> {
  const head = await reporting(report, 'block-chain', ask(readHead), undefined);
  const isWhole = scope.afterHeight === null;
  for (const finding of await reporting(report, CATALOG, ask(checkCatalog), [])) {
    report(CATALOG, finding);
  }
  const further = ask(async (tx) => (await furtherChecks?.(tx, scope)) ?? []);
  for (const { name, query } of [
    ...[balanceChecks, transactionChecks, sealChecks].flatMap((checksFor) => checksFor(scope)),
    ...(await reporting(report, 'further-checks', further, [])),
  ]) {
    const findings = ask((tx) => findingsOf(tx, query));
    for (const finding of await reporting(report, name, findings, [])) report(name, finding);
  }
  const blocks = verifyBlocks(ask, scope, keys, report);
  await reporting(report, 'block-chain', blocks, undefined);
  if (waitsAtMostMs !== undefined) {
    const ageS = await reporting(report, AGE, ask(unsealedAgeS), 0);
    if (ageS * 1_000 > waitsAtMostMs) report(AGE, overdue(ageS));
  }
  const counting = ask((tx) => countRows(tx, scope));
  const counts = await reporting(report, 'counts', counting, NO_COUNTS);
  const sums = isWhole ? await reporting(report, 'counts', ask(sumMoney), []) : [];
  return { head, counts, sums };
}

const CATALOG = 'database-catalog';
const AGE = 'sealing-age';

function overdue(ageS: number): Finding {
  const what = `something has waited for ${Math.floor(ageS)} s to be sealed: is a server running, and does it seal?`;
  return { id: 'unsealed', what };
}

async function refuseEmptyDatabase(tx: Tx): Promise<void> {
  try {
    await sql`SELECT FROM purser_migration LIMIT 1`.execute(tx);
  } catch (error) {
    if (errorCode(error) !== UNDEFINED_TABLE) throw error;
    throw new NoLedgerError('There is no ledger in this database', { cause: error });
  }
}

/**
 * For a part of the ledger the newest exported root is enough, because it covers all earlier ones.
 */
async function* recordsToCompare(
  { roots, readKeptRoots }: VerifyOptions,
  { afterHeight }: Scope,
): AsyncGenerator<ListedRecord | Unreadable> {
  if (roots !== undefined) {
    try {
      if (afterHeight === null) yield* roots.records();
      const newest = afterHeight === null ? undefined : await roots.newest();
      if (newest !== undefined) yield newest;
    } catch (error) {
      yield { unreadable: `${roots.place} (${String(error)})` };
    }
  }
  if (readKeptRoots !== undefined) yield* readKeptRoots();
}
