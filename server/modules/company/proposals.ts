import type { SettingsReply } from '#contract/api.ts';
import { SETTINGS, SETTING_NAMES } from '#contract/settings.ts';
import type { SettingName, SettingValues } from '#contract/settings.ts';
import type { Reader, Tx } from '#server/db/tx.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { newId } from '#server/lib/ids.ts';
import { record } from '#server/modules/journal/index.ts';
import { refusalOf, secondPersonNeeded } from '#server/modules/security/index.ts';
import type { Duties } from '#server/modules/security/index.ts';
import type { Services } from '#server/services.ts';

/** Whatever duties the company separates, a proposed change takes two people. */
export const PROPOSED = { rule: 'always', did: 'you proposed this change' } as const;

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
  { clock }: Pick<Services, 'clock'>,
  by: CommandContext,
  { names, before, after }: Proposed,
): Promise<void> {
  const at = clock.now();
  await tx
    .updateTable('securityProposal')
    .set({ outcome: 'discarded', decidedBy: by.actor.id, decidedAt: at })
    .where('outcome', 'is', null)
    .execute();
  const id = newId(at.getTime());
  const valuesOf = (values: SettingValues) =>
    JSON.stringify(Object.fromEntries(names.map((name) => [name, values[name]])));
  const [rules, seen] = [valuesOf(after), valuesOf(before)];
  await tx
    .insertInto('securityProposal')
    .values({ id, rules, seen, proposedBy: by.actor.id, proposedAt: at })
    .execute();
  record(tx, by, 'settings.proposed', {
    id,
    relatedId: null,
    at,
    details: {
      fields: names,
      before: names.map((name) => JSON.stringify(before[name])),
      after: names.map((name) => JSON.stringify(after[name])),
    },
    words: { labels: names.map((name) => SETTINGS[name].label).join(', ') },
  });
}

/** The proposed change that waits for another admin, as seen by the calling admin. */
export async function findProposal(
  reader: Reader,
  duties: Duties,
  actorId: string,
): Promise<SettingsReply['proposal']> {
  const row = await reader
    .selectFrom('securityProposal')
    .innerJoin('appUser as proposer', 'proposer.id', 'securityProposal.proposedBy')
    .select(['securityProposal.id', 'rules', 'seen', 'proposedBy', 'proposedAt', 'proposer.name'])
    .where('outcome', 'is', null)
    .executeTakeFirst();
  if (row === undefined) return null;
  const refusal = refusalOf(duties, actorId, PROPOSED, { doneBy: [row.proposedBy] });
  return {
    id: row.id,
    settings: proposedValues(row.rules),
    before: proposedValues(row.seen),
    proposedBy: row.name,
    proposedAt: row.proposedAt.toISOString(),
    isMine: row.proposedBy === actorId,
    refusal:
      refusal === null ? null : secondPersonNeeded(refusal, duties.settings.timeZone).message,
  };
}

/**
 * Settings as proposeChange stored them, without names that are no settings of this version. The reply's
 * schema checks the values again.
 */
export function proposedValues(stored: unknown): Partial<SettingValues> {
  const written = stored as Record<string, unknown>;
  const known = SETTING_NAMES.filter((name) => Object.hasOwn(written, name));
  return Object.fromEntries(known.map((name) => [name, written[name]]));
}
