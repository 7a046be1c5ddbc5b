import type { KycApplication } from '#contract/routes/kyc.ts';
import type { Tx } from '#server/db/tx.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { AppError } from '#server/lib/errors.ts';
import type { Services } from '#server/services.ts';
import { NO_WORDS } from '../application/history.ts';
import { decide } from './decide.ts';
import type { DecisionTarget } from './decide.ts';
import { lockForDecision } from '../lock-application.ts';

/**
 * Rejects an application; its owner reads the reason and may start a new one.
 *
 * @throws {AppError} `reason_required`, and as `lockForDecision`
 */
export async function rejectApplication(
  tx: Tx,
  services: Services,
  by: CommandContext,
  input: DecisionTarget & { reason: string },
): Promise<KycApplication> {
  const reason = input.reason.trim();
  if (reason === '') throw new AppError('reason_required');
  const row = await lockForDecision(tx, by, input, 'reject');
  return decide(tx, services, by, row, {
    act: 'reject',
    written: { ...NO_WORDS, notes: reason },
  });
}
