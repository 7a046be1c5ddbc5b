import type { RouteReply } from '#contract/api.ts';
import { monthName } from '#contract/closing.ts';
import { ALONE_AFTER_HOURS } from '#contract/duties.ts';
import type { Reader, Tx } from '#server/db/tx.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { writeMoment } from '#server/lib/calendar.ts';
import { AppError } from '#server/lib/errors.ts';
import { hasOther } from '#server/modules/identity/index.ts';
import { record } from '#server/modules/journal/index.ts';
import {
  closeProposal,
  listProposals,
  lockProposal,
  propose,
  readDuties,
  refusalOfProposal,
} from '#server/modules/security/index.ts';
import type { Proposal } from '#server/modules/security/index.ts';
import type { Services } from '#server/services.ts';
import { closedMonths, findMonth } from './months.ts';
import type { ClosingRow } from './months.ts';

type Clocked = Pick<Services, 'clock'>;

/** The proposal to open a month again, as the calling admin sees it; null where none waits. */
export async function presentReopening(
  reader: Reader,
  { clock }: Clocked,
  { closing, actorId }: { closing: ClosingRow | null; actorId: string },
): Promise<RouteReply<'adminGetMonth'>['reopening']> {
  if (closing === null) return null;
  const proposal = (await listProposals(reader)).find(({ closingId }) => closingId === closing.id);
  if (proposal === undefined) return null;
  const refusal = refusalOfProposal(await readDuties(reader), actorId, proposal, clock.now());
  return {
    id: proposal.id,
    reason: proposal.reason ?? '',
    proposedBy: proposal.proposerName,
    proposedAt: proposal.proposedAt.toISOString(),
    isMine: proposal.proposedBy === actorId,
    opensAt: proposal.opensAt?.toISOString() ?? null,
    refusal: refusal?.message ?? null,
  };
}

/**
 * Proposes to open the last closed month again. Another administrator accepts it, and where there is no other one, who
 * proposed it does after a day (decision 057). All administrators are mailed.
 *
 * @throws {AppError} `month_not_found`; `month_wrong_status` for a month that is not the last closed one
 */
export async function proposeReopening(
  tx: Tx,
  services: Clocked,
  by: CommandContext,
  { month: asked, reason }: { month: string; reason: string },
): Promise<void> {
  const { closing } = await findMonth(tx, services, asked);
  const month = monthName(asked);
  if (closing?.isLast !== true) {
    throw new AppError('month_wrong_status', { month, done: 'opened again' });
  }
  const { people, settings } = await readDuties(tx);
  const opensAt = hasOther(people, { personId: null, proposerId: by.actor.id })
    ? null
    : new Date(services.clock.now().getTime() + ALONE_AFTER_HOURS * 3_600_000);
  const proposed = { act: 'reopenMonth', closingId: closing.id, reason, opensAt } as const;
  const { id, at } = await propose(tx, services, by, proposed);
  const next =
    opensAt === null
      ? 'Another administrator must accept it.'
      : `They can do it from ${writeMoment(opensAt, settings.timeZone, 'weekday')}. Until then every administrator can discard it.`;
  record(tx, by, 'month_reopening.proposed', {
    id,
    relatedId: null,
    at,
    details: {
      act: 'reopenMonth',
      month: asked,
      closingId: closing.id,
      reason,
      ...(opensAt && { opensAt: opensAt.toISOString() }),
    },
    words: { month, reason, next },
  });
}

/**
 * Opens a month again, as was proposed: postings can be effective in it from now on.
 *
 * @throws {AppError} `proposal_not_found`; as `refusalOfProposal`; `month_wrong_status` where a later month was closed since
 * @returns the month: `2026-11`
 */
export async function acceptReopening(
  tx: Tx,
  services: Clocked,
  by: CommandContext,
  id: string,
): Promise<string> {
  const proposal = await lockReopening(tx, id);
  const at = services.clock.now();
  const refusal = refusalOfProposal(await readDuties(tx), by.actor.id, proposal, at);
  if (refusal !== null) throw refusal;
  const closing = (await closedMonths(tx)).find((one) => one.id === proposal.closingId);
  const month = monthName(closing?.month ?? '');
  if (closing?.isLast !== true) {
    throw new AppError('month_wrong_status', { month, done: 'opened again' });
  }
  await closeProposal(tx, services, by, { proposal, outcome: 'accepted' });
  await tx
    .updateTable('monthClosing')
    .set({ reopenedAt: at, reopenedBy: by.actor.id, reopenedFor: id })
    .where('id', '=', closing.id)
    .execute();
  const reason = proposal.reason ?? '';
  record(tx, by, 'month.reopened', {
    id: closing.id,
    relatedId: null,
    at,
    details: { month: closing.month.slice(0, 7), proposalId: id, reason },
    words: { month, proposer: proposal.proposerName, reason },
  });
  return closing.month.slice(0, 7);
}

/** @throws {AppError} `proposal_not_found` */
export async function discardReopening(
  tx: Tx,
  services: Clocked,
  by: CommandContext,
  id: string,
): Promise<{ ok: true }> {
  const proposal = await lockReopening(tx, id);
  await closeProposal(tx, services, by, { proposal, outcome: 'discarded' });
  return { ok: true };
}

async function lockReopening(tx: Tx, id: string): Promise<Proposal> {
  const proposal = await lockProposal(tx, id);
  if (proposal.act !== 'reopenMonth') throw new AppError('proposal_not_found');
  return proposal;
}
