import { sql } from 'kysely';
import type { Tx } from '#server/db/tx.ts';
import { errorCode } from '#server/lib/start-error.ts';
import type { Report } from './problems.ts';
import type { Ask } from './snapshot.ts';

/**
 * SQLSTATE classes by which a question fails because of what is in the database: bad values, objects
 * that are missing or forbidden, damaged pages. Others (no connection, no memory, a deadlock) say
 * nothing about it.
 */
const FAULT_OF_DATABASE = /^(?:21|22|42|XX)...$/;

/** A question that the database cannot answer as it is. */
class CannotAskError extends Error {
  override readonly name = 'CannotAskError';
}

/** Asks as `ask` does, so that a question which cannot be asked leaves the others possible. */
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

/** Reports a question that cannot be asked under the name of its check, and answers `otherwise`. */
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
