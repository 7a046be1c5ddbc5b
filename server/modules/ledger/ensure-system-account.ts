import { sql } from 'kysely';
import type { Tx } from '#server/db/tx.ts';
import { newId } from '#server/lib/ids.ts';
import { refusing } from './errors.ts';

/**
 * The id of the system account with that code and currency, opened if there is none. System
 * accounts (`payroll_funding`, `deposit_clearing:wire`, ...) stand for the outside world, so they
 * may be as far below zero as the money that has come in.
 */
export async function ensureSystemAccount(tx: Tx, code: string, currency: string): Promise<string> {
  const statement = sql<{ id: string }>`
    SELECT ledger_account_ensure_system(${newId()}, ${code}, ${currency}) AS id`;
  const { rows } = await refusing(statement.execute(tx));
  const [row] = rows;
  if (row === undefined) throw new Error('ledger_account_ensure_system returned nothing');
  return row.id;
}
