import { isDeepStrictEqual } from 'node:util';
import type { SecurityRulesReply } from '#contract/api.ts';
import type { Tx } from '#server/db/tx.ts';
import { publish } from '#server/events/outbox.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { AppError } from '#server/lib/errors.ts';
import { recordAudit } from '#server/modules/audit/index.ts';
import { lockSettings, readSettings } from '#server/modules/settings/index.ts';
import type { Services } from '#server/services.ts';
import { proposedRules } from './find-proposal.ts';
import { presentRules } from './present-rules.ts';
import { getSecurityRules } from './rules.ts';
import { secondPersonNeeded } from './require-second-person.ts';
import { applyRules } from './security-rules.ts';

interface Decision {
  id: string;
  outcome: 'accepted' | 'discarded';
}

/**
 * Accepts or discards the change of the rules that waits. Whoever proposed it can only discard it.
 *
 * @throws {AppError} `proposal_not_found`, `second_person_needed`, `conflict` where the rules were
 *   changed since it was proposed
 */
export async function decideProposal(
  tx: Tx,
  services: Pick<Services, 'clock'>,
  by: CommandContext,
  { id, outcome }: Decision,
): Promise<SecurityRulesReply> {
  await lockSettings(tx);
  const proposal = await tx
    .selectFrom('securityProposal')
    .select(['rules', 'seen', 'proposedBy'])
    .where('id', '=', id)
    .where('outcome', 'is', null)
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (proposal === undefined) throw new AppError('proposal_not_found');
  if (outcome === 'accepted') {
    if (proposal.proposedBy === by.actor.id) {
      throw await secondPersonNeeded(tx, 'you proposed this change', [by.actor.id]);
    }
    const settings = await readSettings(tx);
    const rules = proposedRules(proposal.rules, settings);
    const seen = proposedRules(proposal.seen, settings);
    if (!isDeepStrictEqual(presentRules(settings), seen)) {
      throw new AppError('conflict');
    }
    await applyRules(tx, services, by, rules);
  }
  await tx
    .updateTable('securityProposal')
    .set({ outcome, decidedBy: by.actor.id, decidedAt: services.clock.now() })
    .where('id', '=', id)
    .execute();
  recordAudit(tx, {
    by,
    action: `security.${outcome}`,
    subjectType: 'security_proposal',
    subjectId: id,
  });
  publish(tx, { topic: 'security', userId: null });
  return getSecurityRules(tx, by.actor.id);
}
