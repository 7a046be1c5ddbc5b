import { sql } from 'kysely';
import type { Tx } from '#server/db/tx.ts';
import { errorCode } from '#server/lib/start-error.ts';
import type { Report } from './problems.ts';
import type { Ask } from './snapshot.ts';

/**
 * SQLSTATE classes of errors caused by the content of the database: bad values, objects that are
 * missing or forbidden, damaged pages. Others (no connection, no memory, a deadlock) say nothing
 * about it.
 */
const FAULT_OF_DATABASE = /^(?:21|22|42|XX)...$/;

/** Thrown for a query that the database cannot run because of its content. */
class CannotAskError extends Error {
  override readonly name = 'CannotAskError';
}

/** Runs each query under a savepoint, so that the others can run after one has failed. */
export function survivingAsk(ask: Ask): Ask {
  return (question) => ask((tx) => underSavepoint(tx, question));
}

async function underSavepoint<T>(tx: Tx, question: (tx: Tx) => Promise<T>): Promise<T> {
  await sql`SAVEPOINT question`.execute(tx);
  try {
    const answer = await question(tx);
    await sql`RELEASE SAVEPOINT question`.execute(tx);
    return answer;
  } catch (error) {
    if (!FAULT_OF_DATABASE.test(errorCode(error) ?? '')) throw error;
    await sql`ROLLBACK TO SAVEPOINT question`.execute(tx);
    throw new CannotAskError((error as Error).message, { cause: error });
  }
}

/**
 * Runs a query. If the database cannot run it, reports that under the check's name and returns
 * `otherwise`.
 */
export async function reporting<T>(
  report: Report,
  check: string,
  asking: Promise<T>,
  otherwise: T,
): Promise<T> {
  try {
    return await asking;
  } catch (error) {
    if (!(error instanceof CannotAskError)) throw error;
    report(check, { id: 'database', what: `cannot be asked: ${error.message}` });
    return otherwise;
  }
}
