import { sql } from 'kysely';
import type { Problem } from '#server/modules/ledger/index.ts';
import { connect } from './database.ts';
import type { BenchDatabase } from './database.ts';
import { seconds } from './report.ts';
import type { Figures } from './report.ts';

const MILLION = 1_000_000;

/**
 * Seals all books, and times a verification of everything and one of the newest part, as the server makes it after a
 * payroll.
 *
 * @param newest transactions that the newest part has at least
 * @param figures to which each is added
 * @returns sentences about what is not sound
 */
export async function timeVerification(
  database: BenchDatabase,
  newest: number,
  figures: Figures,
): Promise<string[]> {
  await database.settle();
  const verify = async (part: string, afterHeight: bigint | null) => {
    const { durationMs, counts, problems } = await database.verify({ afterHeight });
    const what = `Verifying ${part}: ${counts.entries} entries in ${seconds(durationMs)}; a million of them`;
    figures.add({ what, measured: seconds((durationMs * MILLION) / Number(counts.entries)) });
    return problems.map(sentenceOf);
  };
  return [
    ...(await verify('everything', null)),
    ...(await verify('the newest part', await heightBefore(database, newest))),
  ];
}

/**
 * Verifies all books as {@link timeVerification} does, and says the table of all figures and what is not sound.
 *
 * @returns true if all targets were met and the books are sound
 */
export async function endVerified(
  database: BenchDatabase,
  newest: number,
  figures: Figures,
  say: (sentence: string) => void,
): Promise<boolean> {
  say('Sealing and verifying all books.');
  const problems = await timeVerification(database, newest, figures);
  figures.add({
    what: 'Disk of the database and its log',
    measured: `${((await diskBytes(database)) / 1e9).toFixed(1)} GB`,
  });
  const isMet = figures.end();
  for (const problem of problems) say(problem);
  return problems.length === 0 && isMet;
}

/** @throws an error with the problems if the books are not sound: the server then refuses what is to be measured */
export async function expectSound(database: BenchDatabase): Promise<void> {
  const { problems } = await database.verify();
  if (problems.length > 0) throw new Error(problems.map(sentenceOf).join('\n'));
}

function sentenceOf({ check, what, id }: Problem): string {
  return `Not sound: ${check}: ${what} (${id})`;
}

/** Height of the block after which the newest blocks have at least so many transactions. */
async function heightBefore({ db }: BenchDatabase, transactions: number): Promise<bigint> {
  const { rows } = await sql<{ height: bigint }>`
    SELECT height - 1 AS height
      FROM (SELECT height, sum(transaction_count) OVER (ORDER BY height DESC) AS newer FROM ledger_block) AS block
     WHERE newer >= ${transactions}::integer ORDER BY height DESC LIMIT 1`.execute(db);
  return rows[0]?.height ?? 0n;
}

/** Bytes on disk of the database and its log. */
export async function diskBytes({ superuserUrl }: BenchDatabase): Promise<number> {
  await using owner = await connect(superuserUrl);
  const { rows } = await owner.client.query<{ bytes: string }>(
    `SELECT pg_database_size(current_database()) + (SELECT sum(size) FROM pg_ls_waldir()) AS bytes`,
  );
  return Number(rows[0]?.bytes);
}
