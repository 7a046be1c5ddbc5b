import type { KycAnswersPatch } from '#contract/routes/kyc-answers.ts';
import type { KycApplication } from '#contract/routes/kyc.ts';
import type { Tx } from '#server/db/tx.ts';
import { publish } from '#server/events/outbox.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { recordAudit } from '#server/modules/audit/index.ts';
import type { Services } from '#server/services.ts';
import { SECURITY_ANSWER } from './answers.ts';
import { checkSeen, lockOwnApplication } from '../lock-application.ts';
import type { SeenApplication } from '../lock-application.ts';
import { presentApplication } from './present.ts';
import { writeAnswers } from './write-answers.ts';

/**
 * Saves some answers of the actor's own application, as they are typed on the version they saw.
 * Answers not named stay. A screen that did not see another's save is refused, and overwrites
 * nothing.
 *
 * @throws {AppError} `application_not_found`, `application_wrong_status`, `application_stale`
 */
export async function saveApplication(
  tx: Tx,
  services: Services,
  by: CommandContext,
  input: SeenApplication & { answers: KycAnswersPatch },
): Promise<KycApplication> {
  const userId = by.actor.id;
  const row = await lockOwnApplication(tx, userId, 'edit');
  checkSeen(row, input);
  const { [SECURITY_ANSWER]: securityAnswer, ...changes } = input.answers;
  const saved = await writeAnswers(tx, services, row, changes, securityAnswer);
  recordAudit(tx, {
    by,
    action: 'kyc.application_saved',
    subjectType: 'kyc_application',
    subjectId: row.id,
    personId: userId,
    details: { fields: Object.keys(input.answers) },
  });
  publish(tx, { topic: 'kyc', userId });
  return presentApplication(tx, services.vault, saved);
}
