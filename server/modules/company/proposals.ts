import type { SettingsReply } from '#contract/api.ts';
import { settingLabel } from '#contract/settings.ts';
import type { SettingName, SettingValues } from '#contract/settings.ts';
import type { Tx } from '#server/db/tx.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { record } from '#server/modules/journal/index.ts';
import { propose, proposedValues, refusalOfProposal } from '#server/modules/security/index.ts';
import type { Duties, Proposal } from '#server/modules/security/index.ts';
import type { Services } from '#server/services.ts';

interface Proposed {
  names: readonly SettingName[];
  before: SettingValues;
  after: SettingValues;
}

/**
 * Stores a change of settings for another admin to accept, replacing the waiting one. Notifies all
 * admins.
 */
export async function proposeChange(
  tx: Tx,
  services: Pick<Services, 'clock'>,
  by: CommandContext,
  { names, before, after }: Proposed,
): Promise<void> {
  const valuesOf = (values: SettingValues) =>
    JSON.stringify(Object.fromEntries(names.map((name) => [name, values[name]])));
  const { id, at } = await propose(tx, services, by, {
    act: 'changeSettings',
    rules: valuesOf(after),
    seen: valuesOf(before),
  });
  record(tx, by, 'settings.proposed', {
    id,
    relatedId: null,
    at,
    details: {
      fields: names,
      before: names.map((name) => JSON.stringify(before[name])),
      after: names.map((name) => JSON.stringify(after[name])),
    },
    words: { labels: names.map((name) => settingLabel(name, before.currency)).join(', ') },
  });
}

/** The proposed change of settings, as seen by the calling admin. */
export function presentProposal(
  duties: Duties,
  proposals: readonly Proposal[],
  { actorId, now }: { actorId: string; now: Date },
): SettingsReply['proposal'] {
  const proposal = proposals.find(({ act }) => act === 'changeSettings');
  if (proposal === undefined) return null;
  return {
    id: proposal.id,
    settings: proposedValues(proposal.rules),
    before: proposedValues(proposal.seen),
    proposedBy: proposal.proposerName,
    proposedAt: proposal.proposedAt.toISOString(),
    isMine: proposal.proposedBy === actorId,
    refusal: refusalOfProposal(duties, actorId, proposal, now)?.message ?? null,
  };
}
