/**
 * `npm run verify`: recounts the whole ledger, compares it with the business and says whether it is
 * sound. It reads the database and
 * changes nothing in it, and may run while a server works. Further arguments:
 *
 *     -- 3f2a...  or --root 3f2a...    asks whether that root is still in the chain
 *     -- --root roots.jsonl            the same of every root in a file
 *     -- --key 8c1d...                 holds signatures against that public key, not the server's
 *     -- --any-key                     says "sound" without knowing who should have signed
 *     -- --accept-restored 812 --reason "..."   see docs/backups.md
 *     -- --set-aside 812 --reason "..."         see docs/backups.md
 *
 * Exits 1 when something is wrong or nothing could be checked, 130 when Ctrl-C stopped it.
 */
import type { KeyObject } from 'node:crypto';
import type { Config } from '#server/config/config.ts';
import { startEmbedded } from '#server/db/embedded/index.ts';
import { asNotConnected } from '#server/db/check-database.ts';
import { createDb, createPool } from '#server/db/pool.ts';
import { LIMITS } from '#server/lib/limits.ts';
import type { RootStore } from '#server/lib/root-store.ts';
import { errorCode, StartError } from '#server/lib/start-error.ts';
import {
  findSigningKey,
  NoLedgerError,
  readBlocksSetAside,
  toPublicKey,
  verifyLedger,
} from '#server/modules/ledger/index.ts';
import type { BlockSetAside, Verification, VerifyOptions } from '#server/modules/ledger/index.ts';
import { businessChecks, checksFor } from '#server/modules/verification/index.ts';
import { createFileRoots } from '#server/providers/roots/file.ts';
import { createRootStore } from '#server/providers/roots/index.ts';
import { acceptRestore } from '#server/programs/verify-accept-restored.ts';
import { setAside } from '#server/programs/verify-set-aside.ts';
import { readVerifyArguments } from '#server/programs/verify-arguments.ts';
import type { VerifyArguments } from '#server/programs/verify-arguments.ts';
import { orStopped, runProgram, settingsOf } from '#server/programs/run-command.ts';
import type { CommandLine } from '#server/programs/run-command.ts';
import { verificationLines } from '#server/programs/verify-report.ts';

const UNDEFINED_TABLE = '42P01';

type Print = CommandLine['print'];

interface Source {
  url: string;
  leave: () => Promise<void>;
}

/** As the owner, who sees everything there is. */
async function openSource({ databaseUrl, dataDir }: Config, log: Print): Promise<Source> {
  if (databaseUrl !== null) return { url: databaseUrl, leave: () => Promise.resolve() };
  const embedded = await startEmbedded({ dataDir, log, mustExist: true });
  return { url: embedded.ownerUrl, leave: () => embedded.stop() };
}

/** Verifies the database at this URL of its owner. @throws {StartError} where it is none or cannot be reached */
export async function verifyAt(
  url: string,
  options: VerifyOptions,
): Promise<Verification & { setAside: readonly BlockSetAside[] }> {
  const pool = createPool({ url, max: 1, applicationName: 'purser-verify' });
  try {
    const db = createDb(pool);
    const verification = await verifyLedger(db, options);
    // An older database, or one whose table is gone, has none. The check of the catalog says so.
    const earlier = await readBlocksSetAside(db).catch((error: unknown) => {
      if (errorCode(error) !== UNDEFINED_TABLE) throw error;
      return [];
    });
    return { ...verification, setAside: earlier };
  } catch (error) {
    if (error instanceof NoLedgerError) {
      throw new StartError('The database has no ledger yet; start Purser once to make it.');
    }
    throw asNotConnected(error) ?? error;
  } finally {
    await pool.end();
  }
}

/** Options of a verification with the keys and the roots that are known here. */
export function optionsOf(
  { roots, rootFiles, key }: Pick<VerifyArguments, 'roots' | 'rootFiles' | 'key'>,
  config: Config,
  known: { ownKey: KeyObject | undefined; store: RootStore },
): VerifyOptions {
  const current = key === null ? known.ownKey : toPublicKey(Buffer.from(key, 'hex'));
  return {
    ...(current !== undefined && { keys: { current, former: config.ledgerFormerKeys } }),
    roots: known.store,
    readKeptRoots: () => recordsOf(rootFiles),
    keptHashes: roots,
    // A database that was restarted delays sealing, too. That alone is not a problem.
    waitsAtMostMs: LIMITS.seal.unreadyAfterMs,
    furtherChecks: (tx, scope) => checksFor(tx, businessChecks, scope),
  };
}

async function* recordsOf(paths: readonly string[]): ReturnType<RootStore['records']> {
  for (const path of paths) yield* createFileRoots(path).records();
}

const NO_KEY = [
  'There is no signing key here, so nobody knows whose signatures these are: this is no proof. Run it',
  'where PURSER_LEDGER_KEY or the data folder is, or give the public key with --key, or say with',
  '--any-key that it will do.',
];

/** The command. Returns true if everything is sound. */
export async function verifyCommand({
  args: words,
  env,
  print,
  printError,
  stopped,
}: CommandLine): Promise<boolean> {
  const args = readVerifyArguments([...words]);
  const config = settingsOf({ env, printError });
  const source = await openSource(config, print);
  const store = createRootStore({ ...config, onFailure: (error) => print(String(error)) });
  try {
    print('Recounting the ledger from its entries and comparing it with the business.');
    const ownKey = findSigningKey({ dataDir: config.dataDir, pem: config.ledgerKey });
    const options = optionsOf(args, config, { ownKey, store });
    const verification = await orStopped(
      stopped,
      'Stopped before all was recounted: this says nothing about the books.',
      () => verifyAt(source.url, options),
    );
    for (const line of verificationLines(verification, store.place)) print(line);
    if (args.setAside !== null) {
      const former = config.ledgerFormerKeys;
      print(await setAside(source.url, args.setAside, { ownKey, former, store }));
      return true;
    }
    if (args.restore !== null) {
      print(await acceptRestore(verification, args.restore, { ownKey, store }));
      return true;
    }
    const isKeyEnough = verification.isKeyChecked || args.anyKey;
    if (!isKeyEnough) for (const line of NO_KEY) print(line);
    return verification.ok && isKeyEnough;
  } finally {
    await store.close();
    await source.leave();
  }
}

if (import.meta.main) await runProgram(verifyCommand);
