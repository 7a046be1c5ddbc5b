import { sql } from 'kysely';
import type { RouteReply } from '#contract/api.ts';
import { money } from '#contract/money.ts';
import { WITHDRAWAL_TO_PAY } from '#contract/withdrawals.ts';
import type { Tx } from '#server/db/tx.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { AppError } from '#server/lib/errors.ts';
import { unsealAccountNumber } from '#server/modules/bank-accounts/index.ts';
import { record } from '#server/modules/journal/index.ts';
import type { Services } from '#server/services.ts';

/**
 * The whole account numbers of withdrawals that are to be paid out, in the order asked for. Each account is
 * written to its owner's access log.
 *
 * @throws {AppError} `withdrawal_not_found`, `withdrawal_wrong_status` when one of them is over,
 *   `data_destroyed`
 */
export async function revealWithdrawals(
  tx: Tx,
  { vault }: Pick<Services, 'vault'>,
  by: CommandContext,
  ids: readonly string[],
): Promise<RouteReply<'adminRevealWithdrawals'>> {
  const rows = await tx
    .selectFrom('withdrawal')
    .innerJoin('bankAccount', 'bankAccount.id', 'withdrawal.bankAccountId')
    .innerJoin('appUser as owner', 'owner.id', 'withdrawal.userId')
    .select(['withdrawal.id', 'withdrawal.reference', 'withdrawal.status', 'withdrawal.userId'])
    .select(['withdrawal.amountMinor', 'withdrawal.currency', 'withdrawal.bankAccountId'])
    .select(['bankAccount.bankName', 'bankAccount.holderName', 'bankAccount.accountType'])
    .select(['bankAccount.routingNumber', 'bankAccount.accountNumberEncrypted'])
    .select(['owner.name as employeeName', 'owner.employeeNumber'])
    .where(sql<boolean>`withdrawal.id = ANY (${ids}::uuid[])`)
    .execute();
  const accounts: RouteReply<'adminRevealWithdrawals'>['accounts'] = [];
  const recorded = new Set<string>();
  for (const id of new Set(ids)) {
    const row = rows.find((one) => one.id === id);
    if (row === undefined) throw new AppError('withdrawal_not_found');
    const { status, userId, bankAccountId } = row;
    if (!WITHDRAWAL_TO_PAY.some((one) => one === status)) {
      throw new AppError('withdrawal_wrong_status', { status });
    }
    const account = { id: bankAccountId, userId, sealed: row.accountNumberEncrypted };
    accounts.push({
      id,
      reference: row.reference,
      employee: { id: userId, name: row.employeeName, employeeId: row.employeeNumber },
      amount: money(row.amountMinor, row.currency),
      accountHolderName: row.holderName,
      bankName: row.bankName,
      accountType: row.accountType,
      routingNumber: row.routingNumber,
      accountNumber: await unsealAccountNumber(tx, vault, account),
    });
    if (!recorded.has(bankAccountId)) {
      record(tx, by, 'bank_account.revealed', { id: bankAccountId, personId: userId });
    }
    recorded.add(bankAccountId);
  }
  return { accounts };
}
