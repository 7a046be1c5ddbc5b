import { SETTINGS } from '#contract/settings.ts';
import type { SettingValues } from '#contract/settings.ts';
import type { Tx } from '#server/db/tx.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { AppError } from '#server/lib/errors.ts';
import { record } from '#server/modules/journal/index.ts';
import { requireSecondPerson } from '#server/modules/security/index.ts';
import {
  changedNames,
  lockSettings,
  readSettings,
  settingValues,
} from '#server/modules/settings/index.ts';
import type { Services } from '#server/services.ts';
import { applyValues } from './apply-values.ts';
import { getSettings } from './get-settings.ts';
import type { KnownSettings } from './get-settings.ts';
import { PROPOSED, proposedValues } from './proposals.ts';
import { checkUnchanged } from './unchanged.ts';

interface Decision {
  id: string;
  outcome: 'accepted' | 'discarded';
}

/**
 * Accepts or discards the proposed change of settings. The admin who proposed it can only discard
 * it.
 *
 * @throws {AppError} `proposal_not_found`, `second_person_needed`, `settings_changed` when one of
 *   the settings was changed since the proposal
 */
export async function decideProposal(
  tx: Tx,
  services: Pick<Services, 'clock'>,
  by: CommandContext,
  { id, outcome }: Decision,
): Promise<KnownSettings> {
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
    const { proposedBy } = proposal;
    await requireSecondPerson(tx, by, PROPOSED, { doneBy: [proposedBy] });
    await checkAsProposed(tx, proposedValues(proposal.seen));
    await applyValues(tx, services, by, proposedValues(proposal.rules));
  }
  await tx
    .updateTable('securityProposal')
    .set({ outcome, decidedBy: by.actor.id, decidedAt: services.clock.now() })
    .where('id', '=', id)
    .execute();
  record(tx, by, `settings.${outcome}`, { id });
  return getSettings(tx, services, by.actor.id);
}

/** Checks that the settings still are as they were at the proposal. */
async function checkAsProposed(tx: Tx, seen: Partial<SettingValues>): Promise<void> {
  const now = settingValues(await readSettings(tx));
  const moved = changedNames(now, { ...now, ...seen });
  if (moved.length === 0) return;
  // Names the admin who changed one last. A change without a known author is refused, too.
  await checkUnchanged(tx, { names: moved, version: -1 });
  throw new AppError('settings_changed', {
    who: 'Purser',
    what: moved.map((name) => SETTINGS[name].label).join(', '),
  });
}
