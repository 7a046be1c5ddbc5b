import type { AdminBankAccount, RouteReply } from '#contract/api.ts';
import type { Reader } from '#server/db/tx.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { AppError } from '#server/lib/errors.ts';
import { refusalOfNextStep, withActs, withItsActs } from '#server/modules/acts/index.ts';
import type { ActsReader } from '#server/modules/acts/index.ts';
import type { Services } from '#server/services.ts';
import { bankAccounts } from './bank-account.ts';
import { checkPending } from './check-pending.ts';
import { pastOfBankAccount, readPayoutContext } from './payout-context.ts';
import { presentAdminBankAccount, presentBankAccount } from './present.ts';
import { selectRows } from './rows.ts';
import type { BankAccountRow } from './rows.ts';

type Needs = Pick<Services, 'clock' | 'vault'>;

/** @throws {AppError} `bank_account_not_found` */
export async function loadBankAccount(reader: Reader, id: string): Promise<BankAccountRow> {
  const row = await selectRows(reader).where('bankAccount.id', '=', id).executeTakeFirst();
  if (row === undefined) throw new AppError('bank_account_not_found');
  return row;
}

/** One of the acting person's own. @throws {AppError} `bank_account_not_found` */
export async function loadOwnBankAccount(
  reader: Reader,
  services: Needs,
  { actor }: CommandContext,
  id: string,
) {
  const row = await loadBankAccount(reader, id);
  const who = { actor, as: 'owner' } as const;
  return presentBankAccount(await withItsActs(reader, services, bankAccounts, who, row));
}

/** One of anybody's, with what has to be checked before it is verified. @throws {AppError} `bank_account_not_found` */
export async function loadAdminBankAccount(
  reader: Reader,
  services: Needs,
  { actor }: CommandContext,
  id: string,
): Promise<AdminBankAccount> {
  const row = await loadBankAccount(reader, id);
  const who = { actor, as: 'admin' } as const;
  const shown = await withItsActs(reader, services, bankAccounts, who, row);
  const checks = await checkPending(reader, services.vault, [row]);
  return presentAdminBankAccount(shown, checks);
}

/** Like `loadAdminBankAccount`, also with what its owner has and what was changed recently. */
export async function getAdminBankAccount(
  reader: Reader,
  services: Needs,
  by: CommandContext,
  id: string,
): Promise<RouteReply<'adminGetBankAccount'>> {
  const shown = await loadAdminBankAccount(reader, services, by, id);
  const userId = shown.employee.id;
  const context = await readPayoutContext(reader, {
    userId,
    destination: pastOfBankAccount({ id, userId }),
    refusal: refusalOfNextStep(bankAccounts.thing, shown.acts),
  });
  return { ...shown, context };
}

/** A person's bank accounts, the primary one first, then as they were added. */
export async function listBankAccounts(
  reader: Reader,
  services: Needs,
  who: ActsReader,
  userId: string,
): Promise<RouteReply<'listBankAccounts'>> {
  const theirs = selectRows(reader)
    .where('bankAccount.userId', '=', userId)
    .orderBy('bankAccount.isPrimary', 'desc')
    .orderBy('bankAccount.createdAt')
    .orderBy('bankAccount.id');
  const shown = await withActs(reader, services, bankAccounts, who, theirs);
  return { items: shown.map(presentBankAccount) };
}
