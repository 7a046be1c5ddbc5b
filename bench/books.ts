import { sql } from 'kysely';
import { connect } from './lists-company.ts';
import type { BenchDatabase } from './database.ts';
import { seconds } from './report.ts';
import type { Figure } from './report.ts';

const MILLION = 1_000_000;

/**
 * Seals all books, and times a verification of everything and one of the newest part, as the server makes it after a
 * payroll.
 *
 * @param newest transactions that the newest part has at least
 */
export async function timeVerification(
  database: BenchDatabase,
  newest: number,
): Promise<{ figures: Figure[]; problems: string[] }> {
  await database.settle();
  const whole = await database.verify();
  const part = await database.verify({ afterHeight: await heightBefore(database, newest) });
  const figureOf = (what: string, { durationMs, counts }: typeof whole): Figure => {
    const perMillion = (durationMs * MILLION) / Number(counts.entries);
    return {
      what: `${what}: ${counts.entries} entries in ${seconds(durationMs)}; a million of them`,
      measured: seconds(perMillion),
    };
  };
  return {
    figures: [figureOf('Verifying everything', whole), figureOf('Verifying the newest part', part)],
    problems: [...whole.problems, ...part.problems].map(
      ({ check, what, id }) => `Not sound: ${check}: ${what} (${id})`,
    ),
  };
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
