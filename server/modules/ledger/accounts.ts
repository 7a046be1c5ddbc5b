import { sql } from 'kysely';
import type { Tx } from '#server/db/tx.ts';
import { newId } from '#server/lib/ids.ts';
import { refusing } from './errors.ts';

export interface NewAccount {
  /** Generated when absent. */
  id?: string;
  /** For example `salary`: lower case and underscores. */
  kind: string;
  ownerId: string;
  /** ISO 4217 code, for example `USD`. */
  currency: string;
}

/** Opens an empty account that belongs to a person, whose limit is zero. Returns its id. */
export async function openAccount(tx: Tx, account: NewAccount): Promise<string> {
  const id = account.id ?? newId();
  await openAccounts(tx, [{ ...account, id }]);
  return id;
}

/** Opens many empty accounts in one statement. */
export async function openAccounts(
  tx: Tx,
  accounts: readonly (NewAccount & { id: string })[],
): Promise<void> {
  const statement = sql`
    SELECT ledger_account_open(one.id, one.kind, one.owner_id, one.currency)
      FROM unnest(${accounts.map(({ id }) => id)}::uuid[],
                  ${accounts.map(({ kind }) => kind)}::text[],
                  ${accounts.map(({ ownerId }) => ownerId)}::uuid[],
                  ${accounts.map(({ currency }) => currency)}::text[])
        AS one (id, kind, owner_id, currency)`;
  await refusing(statement.execute(tx));
}

/**
 * Id of the system account with this code and currency. Opens the account if there is none. System
 * accounts (`payroll_funding`, `deposit_clearing:wire`, ...) represent the outside world, so they
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

/**
 * Locks accounts in the order of their ids until the transaction ends. A transaction that posts more than once calls it
 * before the first posting, with the accounts of all: each posting locks its own in that order, and no more.
 */
export async function lockAccounts(tx: Tx, ids: readonly string[]): Promise<void> {
  await sql`SELECT ledger_account_lock(${ids}::uuid[])`.execute(tx);
}
