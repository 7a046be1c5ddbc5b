import { can } from '#contract/can.ts';
import { kycCan } from '#contract/kyc.ts';
import { application } from '#contract/things/application.ts';
import type { Tx } from '#server/db/tx.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { compareNames } from '#server/lib/compare-names.ts';
import { journal } from '#server/modules/journal/index.ts';
import type { Services } from '#server/services.ts';
import { openAnswers } from '../application/answers.ts';
import { enterAction, NO_WORDS } from '../application/history.ts';
import { latestApplication } from '../latest-application.ts';

/**
 * Compares a person's new name with the one that their identity was approved under. If they are not
 * equal, the application goes back to review. The caller has locked the person.
 *
 * @returns whether it went back
 */
export async function reviewName(
  tx: Tx,
  services: Services,
  by: CommandContext,
  {
    userId,
    name,
    former,
    reason,
  }: { userId: string; name: string; former: string; reason: string },
): Promise<boolean> {
  const row = await latestApplication(tx, userId).selectAll().forNoKeyUpdate().executeTakeFirst();
  if (row === undefined || !can(kycCan, 'compareName', row.status)) return false;
  const { fullName } = await openAnswers(tx, services.vault, row);
  if (fullName !== undefined && compareNames(name, fullName) === 'equal') return false;
  const at = services.clock.now();
  const reopened = await tx
    .updateTable('kycApplication')
    .set({
      status: 'in_review',
      decidedBy: null,
      decidedAt: null,
      version: row.version + 1,
      updatedAt: at,
    })
    .where('id', '=', row.id)
    .returningAll()
    .executeTakeFirstOrThrow();
  await enterAction(tx, services, by, reopened, {
    action: 'name_changed',
    written: { ...NO_WORDS, notes: `${former} → ${name}. ${reason}` },
  });
  journal(tx, by, application, 'compareName', {
    id: row.id,
    userId,
    at,
    details: {},
    words: { name },
  });
  return true;
}
