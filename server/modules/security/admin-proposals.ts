import type { RouteReply, SettingsReply } from '#contract/api.ts';
import { ALONE_AFTER_HOURS } from '#contract/duties.ts';
import type { AdminAct } from '#contract/duties.ts';
import type { Tx } from '#server/db/tx.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { writeMoment } from '#server/lib/calendar.ts';
import { invariant } from '#server/lib/errors.ts';
import {
  hasOther,
  lockPerson,
  reactivatePerson,
  resetTwoFactor,
  revokeAdmin,
} from '#server/modules/identity/index.ts';
import { record } from '#server/modules/journal/index.ts';
import type { Services } from '#server/services.ts';
import { readDuties } from './duties.ts';
import type { Duties } from './duties.ts';
import { ADMIN_ACT_WORDS, propose, refusalOfDiscard, refusalOfProposal } from './proposals.ts';
import type { Proposal } from './proposals.ts';

type Clocked = Pick<Services, 'clock'>;

const COMMANDS = { resetTwoFactor, reactivate: reactivatePerson, revokeAdmin };

/**
 * Does an act on the access of a person, or proposes it where they are an administrator: it could make a second person
 * of one. Another administrator accepts it, and where there is no other one, who proposed it does after a day. All
 * administrators are mailed.
 *
 * @throws {AppError} as `lockPerson`
 */
export async function changeAccess(
  tx: Tx,
  services: Clocked,
  by: CommandContext,
  { act, id, reason }: { act: AdminAct; id: string; reason: string },
): Promise<RouteReply<'adminResetTwoFactor'>> {
  const { name, isAdmin } = await lockPerson(tx, by, { id, act });
  if (!isAdmin) {
    await COMMANDS[act](tx, services, by, { id, reason });
    return { ok: true, proposal: null };
  }
  const { people, settings } = await readDuties(tx);
  const opensAt = hasOther(people, { personId: id, proposerId: by.actor.id })
    ? null
    : new Date(services.clock.now().getTime() + ALONE_AFTER_HOURS * 3_600_000);
  const proposed = { act, personId: id, reason, opensAt };
  const { id: proposalId, at } = await propose(tx, services, by, proposed);
  const next =
    opensAt === null
      ? 'Another administrator must accept it.'
      : `They can do it from ${writeMoment(opensAt, settings.timeZone, 'weekday')}. Until then every administrator can discard it.`;
  record(tx, by, 'admin_change.proposed', {
    id: proposalId,
    personId: id,
    relatedId: null,
    at,
    details: { act, reason, ...(opensAt && { opensAt: opensAt.toISOString() }) },
    words: { act: ADMIN_ACT_WORDS[act](name), reason, next },
  });
  return { ok: true, proposal: { id: proposalId, opensAt: opensAt?.toISOString() ?? null } };
}

/**
 * Does a proposed act. The person counts as one with both administrators for the hours of the setting.
 *
 * @throws {AppError} as `lockPerson`, where the person changed since the proposal
 */
export async function doProposed(
  tx: Tx,
  services: Clocked,
  by: CommandContext,
  { act, personId, reason, proposedBy }: Proposal,
): Promise<void> {
  if (act === 'changeSettings' || act === 'reopenMonth') return;
  const id = invariant(personId, 'person of a proposal');
  const causes = [...new Set([proposedBy, by.actor.id])];
  await COMMANDS[act](tx, services, by, { id, reason: reason ?? '', causes });
}

/** The proposed acts on administrators, as the calling admin sees them. */
export function presentAdminProposals(
  duties: Duties,
  proposals: readonly Proposal[],
  { actorId, now }: { actorId: string; now: Date },
): SettingsReply['adminProposals'] {
  return proposals.flatMap(({ act, ...proposal }) => {
    if (act === 'changeSettings' || act === 'reopenMonth') return [];
    const { id, reason, personId, personName, proposedBy, proposedAt, opensAt } = proposal;
    return [
      {
        id,
        act,
        reason: reason ?? '',
        person: { id: personId ?? '', name: personName ?? '' },
        proposedBy: proposal.proposerName,
        proposedAt: proposedAt.toISOString(),
        isMine: proposedBy === actorId,
        opensAt: opensAt?.toISOString() ?? null,
        refusal: refusalOfProposal(duties, actorId, proposal, now)?.message ?? null,
        discardRefusal: refusalOfDiscard(actorId, proposal)?.message ?? null,
      },
    ];
  });
}
