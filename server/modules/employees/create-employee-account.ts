import type { Tx } from '#server/db/tx.ts';
import type { AuditContext } from '#server/lib/actor.ts';
import { createAccount } from '#server/modules/identity/index.ts';
import type { NewAccount } from '#server/modules/identity/index.ts';
import type { Services } from '#server/services.ts';
import { ensureEmployee } from './ensure-employee.ts';

/**
 * An employee with all that belongs to one, in one transaction and without a mail. The password
 * comes hashed, so that many people of the demo company can share one hash.
 *
 * @throws AppError account_exists
 */
export async function createEmployeeAccount(
  tx: Tx,
  services: Services,
  by: AuditContext,
  account: NewAccount,
): Promise<{ id: string }> {
  const { id } = await createAccount(tx, services, by, account);
  await ensureEmployee(tx, services, id);
  return { id };
}
