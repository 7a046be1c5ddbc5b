import { sql } from 'kysely';
import { dayIn } from '#contract/calendar.ts';
import { withTx } from '#server/db/tx.ts';
import type { Db } from '#server/db/tx.ts';
import { act } from '#server/modules/acts/index.ts';
import { readSettings } from '#server/modules/settings/index.ts';
import type { Services } from '#server/services.ts';
import { recoveries } from './recovery.ts';

/**
 * Ends what needs nobody: proposals whose day to answer is over, of which administrators are notified, and recoveries of
 * people who left. Safe to run at any time, in however many processes. Called each hour, and when a person is
 * deactivated.
 *
 * @returns how many were ended
 */
export async function sweepRecoveries(db: Db, services: Pick<Services, 'clock'>): Promise<number> {
  return withTx(db, async (tx) => {
    const { timeZone } = await readSettings(tx);
    const today = dayIn(timeZone, services.clock.now());
    const { rows } = await sql<{ id: string; isGone: boolean }>`
      SELECT recovery.id, person.deactivated_at IS NOT NULL AS is_gone
        FROM recovery JOIN app_user AS person ON person.id = recovery.user_id
       WHERE recovery.status = 'proposed' AND recovery.answer_by < ${today}::date
          OR recovery.status IN ('proposed', 'accepted') AND person.deactivated_at IS NOT NULL
       ORDER BY recovery.id
         FOR NO KEY UPDATE OF recovery SKIP LOCKED`.execute(tx);
    for (const { id, isGone } of rows) {
      // oxlint-disable-next-line no-await-in-loop -- one transaction
      await act(tx, services, { actor: 'system' }, recoveries, isGone ? 'leave' : 'expire', { id });
    }
    return rows.length;
  });
}
