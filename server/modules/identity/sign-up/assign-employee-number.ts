import { sql } from 'kysely';
import type { Tx } from '#server/db/tx.ts';
import { invariant } from '#server/lib/errors.ts';
import { readSettings } from '#server/modules/settings/index.ts';
import type { Services } from '#server/services.ts';

const NUMBER_DIGITS = 4;

/**
 * The next employee numbers, `TR-0147`, in order. One drawn by a transaction that is rolled back is
 * never given out again.
 */
export async function drawEmployeeNumbers(tx: Tx, count: number): Promise<string[]> {
  const { employeeNumberPrefix } = await readSettings(tx);
  const { rows } = await sql<{ next: bigint }>`
    SELECT nextval('employee_number_seq') AS next FROM generate_series(1, ${count}::integer)
  `.execute(tx);
  return rows.map(
    ({ next }) => `${employeeNumberPrefix}-${String(next).padStart(NUMBER_DIGITS, '0')}`,
  );
}

/**
 * Gives a person the next employee number. The caller has locked the person's row and found no number
 * there.
 */
export async function assignEmployeeNumber(
  tx: Tx,
  services: Pick<Services, 'clock'>,
  userId: string,
): Promise<void> {
  const [employeeNumber] = await drawEmployeeNumbers(tx, 1);
  await tx
    .updateTable('appUser')
    .set({
      employeeNumber: invariant(employeeNumber, 'nextval gave no row'),
      updatedAt: services.clock.now(),
    })
    .where('id', '=', userId)
    .execute();
}
