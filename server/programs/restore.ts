/**
 * `npm run restore`: puts a backup into the empty data folder of PURSER_DATA, verifies the books in it, and says when
 * its last transaction was and what was acknowledged after it. It never writes over a company.
 *
 *     -- --identity purser-backup.key    the private key; required
 *     -- some/folder                     that backup, in place of the newest in PURSER_BACKUPS
 *     -- --roots kept.jsonl              roots that were kept elsewhere, to list what is missing; may be repeated
 *     -- --drill                         a trial: restores into a folder of its own, verifies, and deletes it again
 *     -- --drill --database postgres://  the trial of a PostgreSQL that was restored by other means, by its owner's URL
 *
 * The result of a trial is kept in the database of the company that runs: System Health shows it.
 *
 * Exits 1 when nothing was restored, or when the restored books are not sound, and 130 when Ctrl-C stopped it.
 */
import { readFileSync, statSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { sql } from 'kysely';
import { listBackups, readBackupManifest } from '#server/backups/backup-folder.ts';
import { readOnThisVersion, refuseNewer } from '#server/backups/on-this-version.ts';
import { restoreBackup } from '#server/backups/restore-backup.ts';
import {
  makeTrialFolder,
  removeAbandonedTrials,
  removeTrialFolder,
  trialDataDir,
} from '#server/backups/trial-folder.ts';
import type { Config } from '#server/config/config.ts';
import { asNotConnected } from '#server/db/check-database.ts';
import { startEmbedded } from '#server/db/embedded/index.ts';
import { requireCluster } from '#server/db/embedded/place.ts';
import { createDb, createPool } from '#server/db/pool.ts';
import { schemaAge } from '#server/db/schema-age.ts';
import { isFullDisk } from '#server/lib/full-disk.ts';
import { isAcceptedRestore } from '#server/lib/root-store.ts';
import type { RootStore } from '#server/lib/root-store.ts';
import { errorCode, StartError } from '#server/lib/start-error.ts';
import { withTx } from '#server/db/tx.ts';
import { recordRestoreDrill } from '#server/modules/books/index.ts';
import { findSigningKey } from '#server/modules/ledger/index.ts';
import type { Verification } from '#server/modules/ledger/index.ts';
import { createFileRoots } from '#server/providers/roots/file.ts';
import { createRootStore } from '#server/providers/roots/index.ts';
import { atRoots } from '#server/programs/at-roots.ts';
import { orStopped, refuseRepeated, runProgram, settingsOf } from '#server/programs/run-command.ts';
import type { CommandLine } from '#server/programs/run-command.ts';
import { EXPECTED } from '#server/programs/verify-accept-restored.ts';
import { assertRootFile } from '#server/programs/verify-arguments.ts';
import { verificationLines } from '#server/programs/verify-report.ts';
import { optionsOf, verifyAt } from '#server/programs/verify.ts';

/** Codes of PostgreSQL for a table that is missing, and for a role that may not. */
const UNDEFINED_TABLE = '42P01';
const NO_RIGHT = '42501';

/** Lost blocks that are listed one by one. */
const MOST_LISTED = 50;

interface Arguments {
  identity: string;
  path: string | undefined;
  rootFiles: readonly string[];
  isDrill: boolean;
  /** URL of the owner of a restored database. */
  restored: string | undefined;
  stopped: AbortSignal;
}

const NOT_VERIFIED =
  'Stopped before all was recounted: this says nothing about the books. "npm run verify" recounts what is restored.';

/** Facts about restored books. */
interface Findings {
  lastTransactionAt: Date | null;
  lostBlocks: number;
  isSound: boolean;
}

/** The command. Returns true if the restored books are sound. */
export async function restoreCommand({
  args: words,
  env,
  print,
  printError,
  stopped,
}: CommandLine): Promise<boolean> {
  const args = { ...readArguments(words, printError), stopped };
  const config = settingsOf({ env, printError });
  const { restored } = args;
  if (restored !== undefined) {
    await refuseOther(restored);
    const found = await orStopped(stopped, NOT_VERIFIED, () =>
      examineAt(restored, config, rootsOf(config, print), args, print),
    );
    return keepDrill(config, found, print);
  }
  if (config.databaseUrl !== null) {
    throw new StartError(
      'This restores the embedded database alone: unset DATABASE_URL. For a PostgreSQL of your own see "Backups" in docs/backups.md.',
    );
  }
  if (args.isDrill) {
    requireCluster(config.dataDir);
    return drill(args, config, print);
  }
  const path = chosen(args, config);
  const { version, startedAt } = await restoreBackup({ ...args, path, dataDir: config.dataDir });
  print(
    `Restored ${path}, made by Purser ${version} from ${startedAt} on, into ${config.dataDir}.`,
  );
  const { isSound } = await examine(config, rootsOf(config, print), args, print);
  return isSound;
}

/** The backup that was named, or the newest. */
function chosen(args: Arguments, config: Config): string {
  if (args.path !== undefined) return args.path;
  const path = listBackups(config.backups).at(-1)?.path;
  if (path !== undefined) return refuseFuture(path);
  throw new StartError(
    `There is no backup in ${config.backups}. Set PURSER_BACKUPS to the folder of the backups, or name the folder of one.`,
  );
}

/** Difference between the clocks of two machines that is nobody's fault. */
const CLOCK_TOLERANCE_MS = 3_600_000;

/** @throws {StartError} for a backup that would stay the newest, whatever is made after it */
function refuseFuture(path: string): string {
  const startedMs = Date.parse(readBackupManifest(path).startedAt);
  if (startedMs <= Date.now() + CLOCK_TOLERANCE_MS) return path;
  throw new StartError(
    `The newest backup, ${path}, is of a time to come, because a clock was wrong. Name the folder of the backup that you mean.`,
  );
}

/** @throws {StartError} for a database of another version, which cannot be verified as it is */
async function refuseOther(url: string): Promise<void> {
  const age = await schemaAge(url).catch((error: unknown) => {
    throw asNotConnected(error) ?? error;
  });
  refuseNewer(age);
  if (age !== 'older') return;
  throw new StartError(
    'The restored database is of an older version of Purser. Run this trial with the older version.',
  );
}

function rootsOf(config: Config, print: CommandLine['print']): RootStore {
  return createRootStore({ ...config, onFailure: (error) => print(String(error)) });
}

/** Records a trial where the company runs. Returns true if the restored books are sound. */
async function keepDrill(
  config: Config,
  found: Findings,
  print: CommandLine['print'],
): Promise<boolean> {
  const embedded =
    config.databaseUrl === null
      ? await startEmbedded({ dataDir: config.dataDir, log: print, mustExist: true })
      : undefined;
  const url = embedded?.ownerUrl ?? String(config.databaseUrl);
  const pool = createPool({ url, max: 1, applicationName: 'purser-restore' });
  try {
    await withTx(createDb(pool), (tx) => recordRestoreDrill(tx, found));
    print('System Health has the result.');
    return found.isSound;
  } catch (error) {
    const code = errorCode(error);
    if (code !== UNDEFINED_TABLE && code !== NO_RIGHT) throw asNotConnected(error) ?? error;
    throw new StartError(
      `The result was not kept (${code}): the database of the company is of an older version, or DATABASE_URL is not that of its owner.`,
      { cause: error },
    );
  } finally {
    await pool.end();
    await embedded?.stop();
  }
}

/** Restores into a folder of its own, next to the company that runs, whose roots it is compared with. */
async function drill(
  args: Arguments,
  config: Config,
  print: CommandLine['print'],
): Promise<boolean> {
  await removeAbandonedTrials(print);
  const home = makeTrialFolder();
  try {
    const dataDir = trialDataDir(home);
    const path = chosen(args, config);
    const { startedAt } = await restoreBackup({ ...args, path, dataDir });
    print(`Restored ${path}, made from ${startedAt} on, for a trial.`);
    const found = await examine({ ...config, dataDir }, rootsOf(config, print), args, print);
    return await keepDrill(config, found, print);
  } catch (error) {
    // A backup that is missing or cannot be restored is a result, too. A full disk or Ctrl-C says nothing about it.
    if (error instanceof StartError && !isFullDisk(error.cause) && !args.stopped.aborted) {
      const nothing = { lastTransactionAt: null, lostBlocks: 0, isSound: false };
      await keepDrill(config, nothing, print).catch(() => undefined);
    }
    throw error;
  } finally {
    removeTrialFolder(home);
  }
}

/** Verifies the restored books as they are and compares them with the roots. */
async function examine(
  config: Config,
  store: RootStore,
  args: Arguments,
  print: CommandLine['print'],
): Promise<Findings> {
  const database = await startEmbedded({ dataDir: config.dataDir, log: print, mustExist: true });
  try {
    return await orStopped(args.stopped, NOT_VERIFIED, () =>
      readOnThisVersion(database, {
        print,
        read: (url) => examineAt(url, config, store, args, print),
      }),
    );
  } finally {
    await database.stop();
  }
}

async function examineAt(
  url: string,
  config: Config,
  store: RootStore,
  { rootFiles, isDrill }: Arguments,
  print: CommandLine['print'],
): Promise<Findings> {
  try {
    const ownKey = findSigningKey({ dataDir: config.dataDir, pem: config.ledgerKey });
    const given = { roots: [], rootFiles, key: null };
    const verification = await verifyAt(url, optionsOf(given, config, { ownKey, store }));
    // Newer roots are listed below in other words.
    const problems = verification.problems.filter(({ check }) => !EXPECTED.has(check));
    const found = { ...verification, problems, ok: problems.length === 0 };
    for (const line of verificationLines(found, store.place)) print(line);
    const lastTransactionAt = await lastTransaction(url);
    print(ageWords(lastTransactionAt));
    const stores = [store, ...rootFiles.map((file) => createFileRoots(file))];
    const lost = await lostBlocks(verification, stores);
    for (const line of lostLines(verification, lost)) print(line);
    if (lost.length > 0 && !isDrill) print(goOnLine(verification, rootFiles));
    return { lastTransactionAt, lostBlocks: lost.length, isSound: found.ok };
  } finally {
    await store.close();
  }
}

async function lastTransaction(url: string): Promise<Date | null> {
  const pool = createPool({ url, max: 1, applicationName: 'purser-restore' });
  try {
    const { rows } = await sql<{ at: Date | null }>`
      SELECT max(recorded_at) AS at FROM ledger_transaction`.execute(createDb(pool));
    return rows[0]?.at ?? null;
  } finally {
    await pool.end();
  }
}

function ageWords(at: Date | null): string {
  if (at === null) return 'It has no transaction.';
  const hours = (Date.now() - at.getTime()) / 3_600_000;
  return `Its last transaction was recorded ${at.toISOString()}, ${hours.toFixed(1)} hours ago.`;
}

/** Blocks that were sealed and exported after the backup, oldest first. */
async function lostBlocks(
  { head }: Verification,
  stores: readonly RootStore[],
): Promise<[height: bigint, sealedAt: Date][]> {
  const lost = new Map<bigint, Date>();
  for (const store of stores) {
    await atRoots(store, 'Nothing says which blocks are missing', async () => {
      for await (const record of store.records()) {
        if ('unreadable' in record || isAcceptedRestore(record)) continue;
        if (record.height > (head?.height ?? 0n)) lost.set(record.height, record.sealedAt);
      }
    });
  }
  return [...lost].toSorted(([one], [other]) => Number(one - other));
}

/** Everything acknowledged in a lost block is not in the restored database, and has to be entered again. */
function lostLines({ head }: Verification, lost: [bigint, Date][]): string[] {
  if (lost.length === 0)
    return ['No kept root is newer than the backup: nothing sealed is missing.'];
  const from = head?.sealedAt.toISOString() ?? 'the beginning';
  return [
    `Not in the backup: what was acknowledged after ${from}, in ${lost.length} sealed blocks:`,
    ...lost
      .slice(0, MOST_LISTED)
      .map(([height, at]) => `  block ${height}, sealed ${at.toISOString()}`),
    ...(lost.length > MOST_LISTED ? [`  and ${lost.length - MOST_LISTED} more`] : []),
  ];
}

/** The command that goes on without the lost blocks. It takes the same roots: those of the backup know none of them. */
function goOnLine({ head }: Verification, rootFiles: readonly string[]): string {
  const kept = rootFiles.map((file) => `--root ${file} `).join('');
  return `To go on without them: npm run verify -- ${kept}--accept-restored ${head?.height ?? 0n} --reason "..."`;
}

const USAGE =
  'Give --identity with the file of the private key, and the folder of a backup if not the newest; or --drill with --database. --roots names kept roots.';

function readArguments(
  words: readonly string[],
  warn: (sentence: string) => void,
): Omit<Arguments, 'stopped'> {
  const options = {
    identity: { type: 'string' },
    roots: { type: 'string', multiple: true },
    drill: { type: 'boolean' },
    database: { type: 'string' },
  } as const;
  try {
    const { values, positionals, tokens } = parseArgs({
      args: [...words],
      options,
      allowPositionals: true,
      tokens: true,
    });
    refuseRepeated(tokens, { repeatable: ['roots'] });
    const { identity, roots: rootFiles = [], drill: isDrill = false, database: restored } = values;
    // A database that was restored by other means takes neither a key nor a folder.
    const isWhole =
      restored === undefined
        ? identity !== undefined && positionals.length <= 1
        : isDrill && identity === undefined && positionals.length === 0;
    if (isWhole) {
      rootFiles.forEach(assertRootFile);
      const key = identity === undefined ? '' : readIdentity(identity, warn);
      return { identity: key, path: positionals[0], rootFiles, isDrill, restored };
    }
  } catch (error) {
    if (error instanceof StartError) throw error;
  }
  throw new StartError(USAGE);
}

const OTHERS_READ = 0o004;
const READ_BY_ALL =
  'with the private key can be read by every user of this machine; chmod it to 0400.';

function readIdentity(file: string, warn: (sentence: string) => void): string {
  try {
    const line = readFileSync(file, 'utf8').match(/^\s*(AGE-SECRET-KEY-\S+)\s*$/m)?.[1];
    if (line !== undefined) {
      if ((statSync(file).mode & OTHERS_READ) !== 0) warn(`Warning: ${file} ${READ_BY_ALL}`);
      return line;
    }
  } catch (error) {
    throw new StartError(`${file} with the private key cannot be read (${errorCode(error)}).`, {
      cause: error,
    });
  }
  throw new StartError(
    `${file} has no private key of age, a line that begins with AGE-SECRET-KEY-.`,
  );
}

if (import.meta.main) await runProgram(restoreCommand);
