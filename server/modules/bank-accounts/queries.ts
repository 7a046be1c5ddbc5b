import type { RouteReply } from '#contract/api.ts';
import { bankAccountCan } from '#contract/bank-accounts.ts';
import { can } from '#contract/can.ts';
import type { Reader } from '#server/db/tx.ts';
import { checkNotOwn } from '#server/lib/actor.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { AppError } from '#server/lib/errors.ts';
import type { Services } from '#server/services.ts';
import { readAdminFacts } from './admin-facts.ts';
import { requireOtherThanEnterer } from './may-verify.ts';
import { readPayoutContext } from './payout-context.ts';
import { presentAdminBankAccount, presentBankAccount } from './present.ts';
import { selectRows } from './rows.ts';
import type { BankAccountRow } from './rows.ts';

/** @throws {AppError} `bank_account_not_found` */
export async function loadBankAccount(reader: Reader, id: string): Promise<BankAccountRow> {
  const row = await selectRows(reader).where('bankAccount.id', '=', id).executeTakeFirst();
  if (row === undefined) throw new AppError('bank_account_not_found');
  return row;
}

/**
 * One of anybody's, with what has to be checked before it is verified, what its owner has and what was
 * changed lately.
 *
 * @throws {AppError} `bank_account_not_found`
 */
export async function getAdminBankAccount(
  reader: Reader,
  { vault }: Pick<Services, 'vault'>,
  by: CommandContext,
  id: string,
): Promise<RouteReply<'adminGetBankAccount'>> {
  const row = await loadBankAccount(reader, id);
  const { userId, status } = row;
  const facts = await readAdminFacts(reader, vault, by.actor.id, [row]);
  return {
    ...presentAdminBankAccount(row, facts(row)),
    context: await readPayoutContext(reader, { userId, bankAccountId: id }, async () => {
      if (!can(bankAccountCan, 'verify', status)) return;
      checkNotOwn(by, userId);
      await requireOtherThanEnterer(reader, by, row);
    }),
  };
}

/** The person's own bank accounts, the primary one first, then as they were added. */
export async function listBankAccounts(
  reader: Reader,
  userId: string,
): Promise<RouteReply<'listBankAccounts'>> {
  const rows = await selectRows(reader)
    .where('bankAccount.userId', '=', userId)
    .orderBy('bankAccount.isPrimary', 'desc')
    .orderBy('bankAccount.createdAt')
    .orderBy('bankAccount.id')
    .execute();
  return { items: rows.map(presentBankAccount) };
}
