import type { KycApplication } from '#contract/routes/kyc.ts';
import type { Tx } from '#server/db/tx.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import type { Services } from '#server/services.ts';
import { decide } from './decide.ts';
import type { DecisionTarget } from './decide.ts';
import { NO_WORDS } from '../application/history.ts';
import { lockForDecision } from '../lock-application.ts';

/**
 * Takes a submitted application into review; one that is in review may be taken over.
 *
 * @throws {AppError} as `lockForDecision`
 */
export async function moveToReview(
  tx: Tx,
  services: Services,
  by: CommandContext,
  input: DecisionTarget,
): Promise<KycApplication> {
  const row = await lockForDecision(tx, by, input, 'moveToReview');
  return decide(tx, services, by, row, {
    act: 'moveToReview',
    written: NO_WORDS,
  });
}
