import type { RouteArguments } from '#contract/api.ts';
import { KYC_ADDRESS } from '#contract/kyc.ts';
import { reasonSentence } from '#contract/reasons.ts';
import { application } from '#contract/things/application.ts';
import type { Tx } from '#server/db/tx.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { AppError } from '#server/lib/errors.ts';
import { journal } from '#server/modules/journal/index.ts';
import type { Services } from '#server/services.ts';
import { openAnswers } from '../application/answers.ts';
import { enterAction, NO_WORDS } from '../application/history.ts';
import { writeAnswers } from '../application/write-answers.ts';
import { lockForDecision } from '../lock-application.ts';

type Correction = RouteArguments<'adminCorrectAddress'>['body'] & { applicationId: string };

/**
 * Corrects the address in an application that its owner cannot edit. Its status stays. The address before
 * and after rests encrypted in the history of the application; the audit trail has the names of the fields.
 *
 * @throws {AppError} `address_unchanged`, and as `lockForDecision`
 */
export async function correctAddress(
  tx: Tx,
  services: Services,
  by: CommandContext,
  { reason, ...correction }: Correction,
): Promise<void> {
  const row = await lockForDecision(tx, by, correction, 'correctAddress');
  const former = await openAnswers(tx, services.vault, row);
  const address = {
    ...correction,
    addressLine2: correction.addressLine2 || null,
    postalCode: correction.postalCode || null,
  };
  const changes = KYC_ADDRESS.map((answer) => ({
    answer,
    before: former[answer] ?? null,
    after: address[answer],
  })).filter(({ before, after }) => before !== after);
  if (changes.length === 0) throw new AppError('address_unchanged');
  const corrected = await writeAnswers(tx, services, row, {
    changes: Object.fromEntries(changes.map(({ answer, after }) => [answer, after])),
    unrecordedFields: row.unrecordedFields,
  });
  await enterAction(tx, services, by, corrected, {
    action: 'address_corrected',
    written: { ...NO_WORDS, notes: reason, changes },
  });
  journal(tx, by, application, 'correctAddress', {
    id: row.id,
    userId: row.userId,
    at: services.clock.now(),
    details: { corrected: changes.map(({ answer }) => answer), reason },
    words: { reason: reasonSentence(reason) },
  });
}
