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
import type { Check, Finding, Scope } from './check.ts';
import { countRows, NO_COUNTS, sumMoney } from './counts.ts';
import type { CurrencySums, LedgerCounts } from './counts.ts';
import { FINDINGS_PER_CHECK, gatherProblems } from './problems.ts';
import type { Problem, Report } from './problems.ts';
import { sealChecks } from './seal-checks.ts';
import { readingAt, readOnly } from './snapshot.ts';
import type { Ask, Pace } from './snapshot.ts';
import { transactionChecks } from './transaction-checks.ts';
import { verifyBlocks } from './verify-blocks.ts';
import { compareRoot, compareRoots, noRoots } from './verify-roots.ts';
import type { ComparedRoots } from './verify-roots.ts';

export interface VerifyOptions {
  /** Who may have signed blocks. Left out: anybody, and `isKeyChecked` says so. */
  keys?: TrustedKeys;
  /** Where roots are exported to: each must be in the chain. */
  roots?: RootStore;
  /** Reads further roots, which were kept elsewhere: each must be in the chain, too. */
  readKeptRoots?: () => AsyncIterable<ListedRecord | Unreadable>;
  /** Roots of any blocks, as hex, that must be in the chain. */
  keptHashes?: readonly string[];
  /** What waits to be sealed for longer than this is a fault. Left out: it may wait. */
  waitsAtMostMs?: number;
  /** Everything when left out. */
  scope?: Scope;
  /** Makes what other modules ask of the same moment; may look something up for it. */
  furtherChecks?: (tx: Tx, scope: Scope) => Promise<readonly Check[]>;
  /** `snapshot` when left out. */
  pace?: Pace;
  /** Ends a gentle verification before its next question, by throwing its reason. */
  signal?: AbortSignal | undefined;
}

/** What a verification found; plain values, to be stored as they are. */
export interface Verification {
  /** True when nothing is wrong. */
  ok: boolean;
  /** What is wrong, at most 20 findings a check. */
  problems: Problem[];
  /** Null: everything was verified. Otherwise what came after this block. */
  afterHeight: bigint | null;
  /** The newest block, up to which all is verified; absent until something is sealed. */
  head: LedgerHead | undefined;
  /** Whether signatures were held against keys that are known. */
  isKeyChecked: boolean;
  /** What was compared with the roots outside the database. */
  roots: ComparedRoots;
  counts: LedgerCounts;
  /** Empty in part of the ledger. */
  sums: CurrencySums[];
  startedAt: Date;
  durationMs: number;
}

/** The database is no Purser's yet. */
export class NoLedgerError extends Error {
  override readonly name = 'NoLedgerError';
}

const WHOLE: Scope = { afterHeight: null };
const UNDEFINED_TABLE = '42P01';

/**
 * Recounts the ledger, or what was sealed after a block, while it is in use: every balance, running
 * balance, hold and total from its rows; the seals of transactions, accounts and audit events from
 * their content; the chain of blocks against the roots that were exported; and the database itself,
 * its functions, triggers and rights, against what the migrations make. Changes nothing. The database
 * does the counting, so that this process stays small however large the ledger is.
 *
 * @throws {NoLedgerError}
 */
export async function verifyLedger(db: Db, options: VerifyOptions = {}): Promise<Verification> {
  const startedAt = new Date();
  const startedMs = performance.now();
  const { keys, scope = WHOLE } = options;
  const { problems, report } = gatherProblems();
  await readOnly(db, refuseEmptyDatabase);
  // Before the snapshot: what is exported after it began would be missed in it.
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
    const findings = ask((tx) => runCheck(tx, query));
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

/** Planned for all that it reads: for a limit the planner would look for the first findings first. */
async function runCheck(tx: Tx, query: Check['query']): Promise<Finding[]> {
  const { rows } = await sql<Finding>`
    WITH finding AS MATERIALIZED (${query})
    SELECT id, what FROM finding LIMIT ${FINDINGS_PER_CHECK}`.execute(tx);
  return rows;
}

/** In part of the ledger the newest exported root is enough, since it covers all before. */
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
