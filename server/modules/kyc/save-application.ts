import type { KycAnswersPatch } from '#contract/routes/kyc-answers.ts';
import type { KycApplication } from '#contract/routes/kyc.ts';
import type { Tx } from '#server/db/tx.ts';
import { publish } from '#server/events/outbox.ts';
import type { By } from '#server/lib/actor.ts';
import { recordAudit } from '#server/modules/audit/index.ts';
import type { Services } from '#server/services.ts';
import { SECURITY_ANSWER } from './answers.ts';
import { lockOwnApplication } from './lock-application.ts';
import { presentApplication } from './present.ts';
import { writeAnswers } from './write-answers.ts';

/**
 * Saves some answers of the actor's own application, as they are typed. Answers not named stay, so
 * that two screens at once lose nothing of each other's; of one answer the last save counts.
 *
 * @throws {AppError} `application_not_found`, `application_wrong_status`
 */
export async function saveApplication(
  tx: Tx,
  services: Services,
  by: By,
  input: { answers: KycAnswersPatch },
): Promise<KycApplication> {
  const userId = by.actor.id;
  const row = await lockOwnApplication(tx, userId, 'edit');
  const { [SECURITY_ANSWER]: securityAnswer, ...changes } = input.answers;
  const saved = await writeAnswers(tx, services, row, changes, securityAnswer);
  await recordAudit(tx, {
    by,
    action: 'kyc.application_saved',
    subjectType: 'kyc_application',
    subjectId: row.id,
    personId: userId,
    details: { fields: Object.keys(input.answers) },
  });
  await publish(tx, { topic: 'kyc', userId });
  return presentApplication(tx, services.vault, saved);
}
