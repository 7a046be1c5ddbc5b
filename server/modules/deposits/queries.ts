import type { AdminDeposit } from '#contract/api.ts';
import type { Reader } from '#server/db/tx.ts';
import { AppError } from '#server/lib/errors.ts';
import { presentAdminDeposit, presentDeposit } from './present.ts';
import type { Deposit } from './present.ts';
import { selectRows } from './rows.ts';
import type { DepositRow } from './rows.ts';

/** @throws {AppError} `deposit_not_found` */
export async function loadDeposit(reader: Reader, id: string): Promise<Deposit> {
  return presentDeposit(await loadRow(reader, id));
}

/** @throws {AppError} `deposit_not_found` */
export async function loadAdminDeposit(reader: Reader, id: string): Promise<AdminDeposit> {
  return presentAdminDeposit(await loadRow(reader, id));
}

async function loadRow(reader: Reader, id: string): Promise<DepositRow> {
  const row = await selectRows(reader).where('deposit.id', '=', id).executeTakeFirst();
  if (row === undefined) throw new AppError('deposit_not_found');
  return row;
}
