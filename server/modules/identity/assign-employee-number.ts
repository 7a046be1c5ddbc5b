import { sql } from 'kysely';
import type { Tx } from '#server/db/tx.ts';
import { invariant } from '#server/lib/errors.ts';
import { readSettings } from '#server/modules/settings/index.ts';
import type { Services } from '#server/services.ts';

const NUMBER_DIGITS = 4;

/**
 * Gives a person the next employee number, `TR-0147`. A number drawn by a transaction that is rolled
 * back is never given out again. The caller has locked the person's row and found no number there.
 */
export async function assignEmployeeNumber(
  tx: Tx,
  services: Pick<Services, 'clock'>,
  userId: string,
): Promise<void> {
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
