import { SETTING_NAMES, SETTINGS, settingLabel } from '#contract/settings.ts';
import type { SettingName, SettingValues } from '#contract/settings.ts';
import type { Tx } from '#server/db/tx.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { AppError } from '#server/lib/errors.ts';
import {
  closeProposal,
  doProposed,
  lockProposal,
  proposedValues,
  readDuties,
  refusalOfDiscard,
  refusalOfProposal,
} from '#server/modules/security/index.ts';
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
import { newProblems } from './new-problems.ts';
import { checkUnchanged } from './unchanged.ts';

interface Decision {
  id: string;
  outcome: 'accepted' | 'discarded';
}

/**
 * Accepts or discards a proposed change of settings, or a proposed act on an administrator. All administrators are
 * mailed when somebody discards what another proposed.
 *
 * @throws {AppError} `proposal_not_found`; as `refusalOfProposal` and `refusalOfDiscard`; `settings_changed` when one of
 *   the settings, or one that they depend on, was changed since the proposal; as `doProposed`
 */
export async function decideProposal(
  tx: Tx,
  services: Pick<Services, 'clock'>,
  by: CommandContext,
  { id, outcome }: Decision,
): Promise<KnownSettings> {
  await lockSettings(tx);
  const proposal = await lockProposal(tx, id);
  // The closing of months decides about its own.
  if (proposal.act === 'reopenMonth') throw new AppError('proposal_not_found');
  if (outcome === 'accepted') {
    const now = services.clock.now();
    const refusal = refusalOfProposal(await readDuties(tx), by.actor.id, proposal, now);
    if (refusal !== null) throw refusal;
    if (proposal.act === 'changeSettings') {
      const values = proposedValues(proposal.rules);
      await checkAsProposed(tx, proposedValues(proposal.seen));
      await checkFits(tx, proposal.proposedAt, values);
      await applyValues(tx, services, by, values);
    } else {
      await doProposed(tx, services, by, proposal);
    }
  }
  if (outcome === 'discarded') {
    const refusal = refusalOfDiscard(by.actor.id, proposal);
    if (refusal !== null) throw refusal;
  }
  await closeProposal(tx, services, by, { proposal, outcome });
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
    what: moved.map((name) => settingLabel(name, now.currency)).join(', '),
  });
}

/** Checks that the proposed values still go together with all others, of which some may have been changed since. */
async function checkFits(tx: Tx, since: Date, values: Partial<SettingValues>): Promise<void> {
  const before = settingValues(await readSettings(tx));
  const names = Object.keys(values) as SettingName[];
  const problems = newProblems({ names, before, after: { ...before, ...values } });
  if (problems.length === 0) return;
  const sections = problems.map(([name]) => SETTINGS[name].section);
  const partners = SETTING_NAMES.filter((name) => sections.includes(SETTINGS[name].section));
  const changed = await tx
    .selectFrom('settingChange')
    .select('name')
    .where('name', 'in', partners)
    .where('changedAt', '>=', since)
    .execute();
  const moved = partners.filter((name) => changed.some((change) => change.name === name));
  await checkUnchanged(tx, { names: moved, version: -1 });
  throw new AppError('settings_changed', {
    who: 'Purser',
    what: problems.map(([name]) => settingLabel(name, before.currency)).join(', '),
  });
}
