import { sql } from 'kysely';
import type { Tx } from '#server/db/tx.ts';
import { invariant } from '#server/lib/errors.ts';
import { ensureApplication } from '#server/modules/kyc/index.ts';
import { readSettings } from '#server/modules/settings/index.ts';
import { openWallet } from '#server/modules/wallets/index.ts';
import type { Services } from '#server/services.ts';

const NUMBER_DIGITS = 4;

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
  if (user.employeeNumber === null) await assignNumber(tx, services, userId);
  await openWallet(tx, services, { userId, type: 'salary' });
  await ensureApplication(tx, services, userId);
}

/** `TR-0147`. A number drawn by a transaction that is rolled back is never given out again. */
async function assignNumber(tx: Tx, services: Services, userId: string): Promise<void> {
  const { employeeNumberPrefix } = await readSettings(tx);
  const { rows } = await sql<{ next: bigint }>`
    SELECT nextval('employee_number_seq') AS next
  `.execute(tx);
  const next = invariant(rows[0], 'nextval gave no row').next;
  await tx
    .updateTable('appUser')
    .set({
      employeeNumber: `${employeeNumberPrefix}-${String(next).padStart(NUMBER_DIGITS, '0')}`,
      updatedAt: services.clock.now(),
    })
    .where('id', '=', userId)
    .execute();
}
