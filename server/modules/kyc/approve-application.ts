import type { KycApplication } from '#contract/routes/kyc.ts';
import type { Tx } from '#server/db/tx.ts';
import type { By } from '#server/lib/actor.ts';
import type { Services } from '#server/services.ts';
import { decide } from './decide.ts';
import type { DecisionTarget } from './decide.ts';
import { lockForDecision } from './lock-application.ts';

/**
 * Approves an application, with notes or without: its owner may send money out from now on.
 *
 * @throws {AppError} as `lockForDecision`
 */
export async function approveApplication(
  tx: Tx,
  services: Services,
  by: By,
  input: DecisionTarget & { notes?: string | undefined },
): Promise<KycApplication> {
  const row = await lockForDecision(tx, by, input, 'approve');
  return decide(tx, services, by, row, {
    decision: 'approved',
    status: 'approved',
    notes: input.notes?.trim() || null,
    columns: { decidedBy: by.actor.id, decidedAt: services.clock.now() },
    title: 'Identity approved',
    message: 'Your identity has been verified. You can now withdraw money from your accounts.',
  });
}
