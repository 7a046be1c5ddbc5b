import type { Tx } from '#server/db/tx.ts';
import type { AuditContext } from '#server/lib/actor.ts';
import { createAccounts, theOne } from '#server/modules/identity/index.ts';
import type { CreatedAccount, NewAccount } from '#server/modules/identity/index.ts';
import type { Services } from '#server/services.ts';
import { giveBelongings } from './ensure-employee.ts';

/**
 * Employees with all that belongs to one, in one transaction and without a mail, by as many statements
 * for a thousand as for one. The passwords come hashed, so that many people of the demo company can
 * share one hash.
 *
 * @returns one for each account, in their order, as `createAccounts`
 */
export async function createEmployeeAccounts(
  tx: Tx,
  services: Services,
  by: AuditContext,
  accounts: readonly NewAccount[],
): Promise<CreatedAccount[]> {
  const created = await createAccounts(tx, services, by, accounts, { isNumbered: true });
  const userIds = created.flatMap((one) => ('id' in one ? [one.id] : []));
  if (userIds.length > 0) await giveBelongings(tx, services, userIds);
  return created;
}

/**
 * The same for one.
 *
 * @throws {AppError} the refusals of `createAccounts`
 */
export async function createEmployeeAccount(
  tx: Tx,
  services: Services,
  by: AuditContext,
  account: NewAccount,
): Promise<{ id: string }> {
  return theOne(await createEmployeeAccounts(tx, services, by, [account]));
}
