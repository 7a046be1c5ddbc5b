import type { SecurityRules, SecurityRulesReply } from '#contract/api.ts';
import type { Reader } from '#server/db/tx.ts';

/** The change of the rules that waits for another admin, as the admin sees it who asks. */
export async function findProposal(
  reader: Reader,
  actorId: string,
): Promise<SecurityRulesReply['proposal']> {
  const row = await reader
    .selectFrom('securityProposal')
    .innerJoin('appUser as proposer', 'proposer.id', 'securityProposal.proposedBy')
    .select(['securityProposal.id', 'rules', 'proposedBy', 'proposedAt', 'proposer.name'])
    .where('outcome', 'is', null)
    .executeTakeFirst();
  if (row === undefined) return null;
  return {
    id: row.id,
    // Written by updateSecurityRules alone.
    rules: row.rules as unknown as SecurityRules,
    proposedBy: row.name,
    proposedAt: row.proposedAt.toISOString(),
    isMine: row.proposedBy === actorId,
  };
}
