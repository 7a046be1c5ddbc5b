import type { KycAnswersPatch } from '#contract/routes/kyc-answers.ts';
import type { KycApplication } from '#contract/routes/kyc.ts';
import { application } from '#contract/things/application.ts';
import type { Tx } from '#server/db/tx.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { journal } from '#server/modules/journal/index.ts';
import type { Services } from '#server/services.ts';
import type { ApplicationRow } from './history.ts';
import { SECURITY_ANSWER } from './answers.ts';
import { checkSeen, lockOwnApplication } from '../lock-application.ts';
import type { SeenApplication } from '../lock-application.ts';
import { presentApplication } from './present.ts';
import { writeAnswers } from './write-answers.ts';

/** A pause after which saving goes on in a new sitting. */
const SITTING_PAUSE_MS = 30 * 60_000;

/**
 * True if nothing happened with the application for half an hour. Only the first save of a sitting is a
 * record of the audit trail; the fields of the others are named by the next record (docs/decisions/042).
 */
function isNewSitting({ updatedAt }: Pick<ApplicationRow, 'updatedAt'>, now: Date): boolean {
  return now.getTime() - updatedAt.getTime() >= SITTING_PAUSE_MS;
}

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
  const fields = [...new Set([...row.unrecordedFields, ...Object.keys(input.answers)])];
  const isRecorded = isNewSitting(row, services.clock.now());
  const saved = await writeAnswers(tx, services, row, {
    changes,
    securityAnswer,
    unrecordedFields: isRecorded ? [] : fields,
  });
  if (isRecorded) {
    journal(tx, by, application, 'edit', {
      id: row.id,
      userId,
      at: services.clock.now(),
      details: { fields },
      words: {},
    });
  }
  return presentApplication(tx, services.vault, saved);
}
