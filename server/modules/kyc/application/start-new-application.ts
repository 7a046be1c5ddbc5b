import type { KycApplication } from '#contract/routes/kyc.ts';
import { application } from '#contract/things/application.ts';
import type { Tx } from '#server/db/tx.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { newId } from '#server/lib/ids.ts';
import { journal } from '#server/modules/journal/index.ts';
import type { Services } from '#server/services.ts';
import { openAnswers } from './answers.ts';
import { lockOwnApplication } from '../lock-application.ts';
import { presentApplication } from './present.ts';
import { writeAnswers } from './write-answers.ts';

/**
 * Begins a new application after a rejected one, which is kept. It starts with the old answers, so
 * that nobody types all of them again; the security answer has to be given again.
 *
 * @throws {AppError} `application_not_found`, `application_wrong_status`
 */
export async function startNewApplication(
  tx: Tx,
  services: Services,
  by: CommandContext,
): Promise<KycApplication> {
  const userId = by.actor.id;
  const rejected = await lockOwnApplication(tx, userId, 'startNew');
  const now = services.clock.now();
  const row = await tx
    .insertInto('kycApplication')
    .values({ id: newId(now.getTime()), userId, createdAt: now, updatedAt: now })
    .returningAll()
    .executeTakeFirstOrThrow();
  const answers = await openAnswers(tx, services.vault, rejected);
  const begun = await writeAnswers(tx, services, row, {
    changes: answers,
    unrecordedFields: [],
  });
  journal(tx, by, application, 'startNew', {
    id: row.id,
    userId,
    at: now,
    details: {},
    words: {},
  });
  return presentApplication(tx, services.vault, begun);
}
