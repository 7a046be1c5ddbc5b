import type { Reader } from '#server/db/tx.ts';
import { AppError } from '#server/lib/errors.ts';
import { presentDeposit } from './present.ts';
import type { Deposit } from './present.ts';

function selectRows(reader: Reader) {
  return reader
    .selectFrom('deposit')
    .innerJoin('wallet', 'wallet.id', 'deposit.walletId')
    .selectAll('deposit')
    .select('wallet.type as walletType');
}

export type DepositRow = Awaited<ReturnType<ReturnType<typeof selectRows>['execute']>>[number];

/** @throws {AppError} `deposit_not_found` */
export async function loadDeposit(reader: Reader, id: string): Promise<Deposit> {
  const row = await selectRows(reader).where('deposit.id', '=', id).executeTakeFirst();
  if (row === undefined) throw new AppError('deposit_not_found');
  return presentDeposit(row);
}
