import { withClient } from '#server/db/embedded/roles.ts';

/** Times from which waits are counted. */
const WAITS = [
  ['second_person_wait', 'since'],
  ['security_proposal', 'opens_at'],
  ['bank_account', 'submitted_at'],
  ['app_user', 'password_reset_at'],
] as const;

/**
 * Moves everything that waits back in time. Nothing but a superuser can change when it began.
 *
 * @param tables those whose waits are moved, where not all of them
 */
export async function hoursPass(
  { superuserUrl }: { superuserUrl: string },
  hours: number,
  tables: readonly string[] = WAITS.map(([table]) => table),
): Promise<void> {
  await withClient(superuserUrl, async (client) => {
    await client.query('SET session_replication_role = replica');
    for (const [table, column] of WAITS) {
      if (!tables.includes(table)) continue;
      await client.query(`UPDATE ${table} SET ${column} = ${column} - make_interval(hours => $1)`, [
        hours,
      ]);
    }
  });
}
