import { sql } from 'kysely';
import type { AdminDeposit, RouteArguments, RouteReply } from '#contract/api.ts';
import type { Reader } from '#server/db/tx.ts';
import { AppError } from '#server/lib/errors.ts';
import { presentAdminDeposit, presentDeposit } from './present.ts';
import type { Deposit } from './present.ts';

/** Deposits with what is shown beside them: the wallet and the employee. */
function selectRows(reader: Reader) {
  return reader
    .selectFrom('deposit')
    .innerJoin('wallet', 'wallet.id', 'deposit.walletId')
    .innerJoin('appUser as employee', 'employee.id', 'deposit.userId')
    .selectAll('deposit')
    .select([
      'wallet.type as walletType',
      'employee.employeeNumber',
      sql<string>`employee.first_name || ' ' || employee.last_name`.as('employeeName'),
    ]);
}

export type DepositRow = Awaited<ReturnType<ReturnType<typeof selectRows>['execute']>>[number];

/** @throws {AppError} `deposit_not_found` */
export async function loadDeposit(reader: Reader, id: string): Promise<Deposit> {
  return presentDeposit(await loadRow(reader, id));
}

/** @throws {AppError} `deposit_not_found` */
export async function loadAdminDeposit(reader: Reader, id: string): Promise<AdminDeposit> {
  return presentAdminDeposit(await loadRow(reader, id));
}

/** Deposits of everyone in that status, newest first. */
export async function adminListDeposits(
  reader: Reader,
  { status, page, pageSize }: RouteArguments<'adminListDeposits'>['query'],
): Promise<RouteReply<'adminListDeposits'>> {
  const wanted = status === 'all' ? sql<boolean>`true` : sql<boolean>`deposit.status = ${status}`;
  const { total } = await reader
    .selectFrom('deposit')
    .select(({ fn }) => fn.countAll<bigint>().as('total'))
    .where(wanted)
    .executeTakeFirstOrThrow();
  const rows = await selectRows(reader)
    .where(wanted)
    .orderBy('deposit.requestedAt', 'desc')
    .orderBy('deposit.id', 'desc')
    .limit(pageSize)
    .offset((page - 1) * pageSize)
    .execute();
  return { items: rows.map(presentAdminDeposit), page, pageSize, total: Number(total) };
}

async function loadRow(reader: Reader, id: string): Promise<DepositRow> {
  const row = await selectRows(reader).where('deposit.id', '=', id).executeTakeFirst();
  if (row === undefined) throw new AppError('deposit_not_found');
  return row;
}
