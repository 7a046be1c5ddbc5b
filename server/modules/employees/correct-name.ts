import type { RouteReply } from '#contract/api.ts';
import { reasonSentence } from '#contract/reasons.ts';
import { person } from '#contract/things/person.ts';
import type { Tx } from '#server/db/tx.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { changeName } from '#server/modules/identity/index.ts';
import type { NameCorrection } from '#server/modules/identity/index.ts';
import { journal } from '#server/modules/journal/index.ts';
import { reviewName } from '#server/modules/kyc/index.ts';
import { readSettings } from '#server/modules/settings/index.ts';
import type { Services } from '#server/services.ts';

/**
 * Corrects the name of another person. Where their identity was approved under another name, the
 * application goes back to review, and no money leaves until it is approved again (docs/rules.md, "Names").
 *
 * @throws {AppError} as `changeName`
 */
export async function correctName(
  tx: Tx,
  services: Services,
  by: CommandContext,
  correction: NameCorrection,
): Promise<RouteReply<'adminCorrectName'>> {
  const { id, reason } = correction;
  const at = services.clock.now();
  const { before, after } = await changeName(tx, by, correction, at);
  const isIdentityReopened = await reviewName(tx, services, by, {
    userId: id,
    name: after,
    former: before,
    reason,
  });
  const { requireApprovedIdentity } = await readSettings(tx);
  const review = requireApprovedIdentity
    ? ' Your identity is reviewed again under this name, and no money leaves your accounts until it is approved.'
    : ' Your identity is reviewed again under this name.';
  journal(tx, by, person, 'correctName', {
    id,
    at,
    details: { fields: ['name'], before: [before], after: [after], reason, isIdentityReopened },
    words: {
      before,
      after,
      reason: reasonSentence(reason),
      review: isIdentityReopened ? review : '',
    },
  });
  return { isIdentityReopened };
}
