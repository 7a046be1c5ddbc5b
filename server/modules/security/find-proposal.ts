import type { SecurityRules, SecurityRulesReply } from '#contract/api.ts';
import type { Reader } from '#server/db/tx.ts';
import { readSettings } from '#server/modules/settings/index.ts';
import type { CompanySettings } from '#server/modules/settings/index.ts';
import { presentRules } from './present-rules.ts';

/**
 * Rules as updateSecurityRules wrote them into a proposal. A rule that did not exist by then stays as
 * it is.
 */
export function proposedRules(written: unknown, settings: CompanySettings): SecurityRules {
  return { ...presentRules(settings), ...(written as Partial<SecurityRules>) };
}

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
    rules: proposedRules(row.rules, await readSettings(reader)),
    proposedBy: row.name,
    proposedAt: row.proposedAt.toISOString(),
    isMine: row.proposedBy === actorId,
  };
}
