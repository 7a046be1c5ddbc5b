/**
 * `npm run verify`: recounts the whole ledger and says whether it is sound. It only reads, and may
 * run beside a server at work. With a block's root as its argument (`npm run verify -- 3f2a...`) it
 * also checks that this root, printed or mailed earlier, is still in the chain. Exits 1 when
 * something is wrong or nothing could be checked.
 */
import { existsSync } from 'node:fs';
import { formatMoney, money } from '#contract/money.ts';
import type { Currency } from '#contract/money.ts';
import { readConfig } from '#server/config.ts';
import type { Config } from '#server/config.ts';
import { startEmbedded } from '#server/db/embedded/index.ts';
import { createDb, createPool } from '#server/db/pool.ts';
import { errorCode, StartError } from '#server/lib/start-error.ts';
import { findSigningKey, verifyLedger } from '#server/modules/ledger/index.ts';
import type { Verification, VerifyOptions } from '#server/modules/ledger/index.ts';

const UNDEFINED_TABLE = '42P01';
/** The system's codes, and PostgreSQL's classes for a refused connection or sign-in. */
const NO_CONNECTION = /^(E[A-Z]+|08...|28...|3D000)$/;
const ROOT = /^[0-9a-f]{64}$/i;

interface Source {
  url: string;
  leave: () => Promise<void>;
}

async function openSource({ databaseUrl, dataDir }: Config): Promise<Source> {
  if (databaseUrl !== null) return { url: databaseUrl, leave: () => Promise.resolve() };
  if (!existsSync(dataDir)) {
    throw new StartError(
      `There is no Purser in ${dataDir} yet; start it once, or set PURSER_DATA.`,
    );
  }
  const embedded = await startEmbedded({ dataDir, log: print });
  return { url: embedded.appUrl, leave: () => embedded.stop() };
}

async function verifyAt(url: string, options: VerifyOptions): Promise<Verification> {
  const pool = createPool({ url, max: 1, applicationName: 'purser-verify' });
  try {
    return await verifyLedger(createDb(pool), options);
  } catch (error) {
    if (errorCode(error) === UNDEFINED_TABLE) {
      throw new StartError('The database has no ledger yet; start Purser once to make it.');
    }
    const reason = errorCode(error);
    if (reason !== undefined && NO_CONNECTION.test(reason)) {
      throw new StartError(`The database cannot be reached (${reason}); check DATABASE_URL.`);
    }
    throw error;
  } finally {
    await pool.end();
  }
}

/** What was counted, what is wrong, and the verdict, as lines for a person. */
function report({ ok, problems, counts, sums, head }: Verification, isKeyKnown: boolean): string[] {
  const number = (count: bigint) => count.toLocaleString('en-US');
  return [
    '',
    `  Transactions   ${number(counts.transactions)}, with ${number(counts.entries)} entries`,
    `  Accounts       ${number(counts.accounts)}`,
    ...sums.map(({ currency, ownedMinor, heldMinor }) => {
      const [owned, held] = [ownedMinor, heldMinor].map((minor) =>
        formatMoney(money(minor, currency as Currency)),
      );
      return `  People's money ${owned} ${currency}, ${held} of it held`;
    }),
    `  Holds          ${number(counts.holds)} placed in all`,
    `  Seals          ${number(counts.sealed)} transactions in ${number(counts.blocks)} blocks, ${number(counts.unsealed)} waiting`,
    ...(head === undefined
      ? []
      : [
          `  Newest block   ${number(head.height)}, sealed ${head.sealedAt.toISOString()}`,
          `  Its root       ${head.root}`,
        ]),
    ...(head === undefined || isKeyKnown
      ? []
      : ['  There is no signing key here, so whose signatures they are was not checked.']),
    '',
    ...problems.map(({ check, id, what }) => `  ${check}: ${id} ${what}`),
    ...(ok
      ? ['The ledger is sound.']
      : ['', `The ledger is NOT sound: ${problems.length} found, named above.`]),
  ];
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

async function main(): Promise<boolean> {
  const [exportedRoot] = process.argv.slice(2);
  if (exportedRoot !== undefined && !ROOT.test(exportedRoot)) {
    throw new StartError('A root is 64 hexadecimal digits, as printed by an earlier verify.');
  }
  const config = readConfig([], process.env);
  const source = await openSource(config);
  try {
    print('Recounting the ledger from its entries.');
    const key = findSigningKey({ dataDir: config.dataDir, pem: config.ledgerKey });
    const verification = await verifyAt(source.url, {
      ...(key === undefined ? {} : { publicKey: key }),
      ...(exportedRoot === undefined ? {} : { exportedRoot }),
    });
    for (const line of report(verification, key !== undefined)) print(line);
    return verification.ok;
  } finally {
    await source.leave();
  }
}

try {
  process.exitCode = (await main()) ? 0 : 1;
} catch (error) {
  if (!(error instanceof StartError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
