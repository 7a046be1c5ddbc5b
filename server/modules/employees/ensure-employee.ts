import type { Tx } from '#server/db/tx.ts';
import { assignEmployeeNumber } from '#server/modules/identity/index.ts';
import { ensureApplication } from '#server/modules/kyc/index.ts';
import { openWallet } from '#server/modules/wallets/index.ts';
import type { Services } from '#server/services.ts';

/**
 * Gives an employee what every employee has: a number, a salary wallet and an application. Does
 * nothing for admins and for what is there already, so it runs after sign-up and at every sign-in
 * (sign-up cannot share its transaction), also twice at once: it waits on the person's row.
 */
export async function ensureEmployee(tx: Tx, services: Services, userId: string): Promise<void> {
  const user = await tx
    .selectFrom('appUser')
    .select(['role', 'employeeNumber'])
    .where('id', '=', userId)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow();
  if (user.role !== 'employee') return;
  if (user.employeeNumber === null) await assignEmployeeNumber(tx, services, userId);
  await openWallet(tx, services, { userId, type: 'salary' });
  await ensureApplication(tx, services, userId);
}
