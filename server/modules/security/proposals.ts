import type { PROPOSED_ACTS } from '#contract/duties.ts';
import type { Reader, Tx } from '#server/db/tx.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { AppError } from '#server/lib/errors.ts';
import { newId } from '#server/lib/ids.ts';
import type { Services } from '#server/services.ts';
import { mayBeSecond, refusalOf, secondPersonNeeded } from './duties.ts';
import type { Duties } from './duties.ts';

/** The proposed change: values of settings with those before, or an act on an administrator with its reason. */
export interface Proposed {
  act: (typeof PROPOSED_ACTS)[number];
  /** JSON of the settings as they are to be, and as they were. */
  rules?: string;
  seen?: string;
  personId?: string;
  reason?: string;
  /** Time from which it needs no other administrator, where there is none. */
  opensAt?: Date | null;
}

/** Stores a change for another admin to accept, in place of one of the same act on the same person that waits. */
export async function propose(
  tx: Tx,
  { clock }: Pick<Services, 'clock'>,
  by: CommandContext,
  proposed: Proposed,
): Promise<{ id: string; at: Date }> {
  const at = clock.now();
  const { act, personId = null } = proposed;
  await tx
    .updateTable('securityProposal')
    .set({ outcome: 'discarded', decidedBy: by.actor.id, decidedAt: at })
    .where('outcome', 'is', null)
    .where('act', '=', act)
    .where('personId', 'is not distinct from', personId)
    .execute();
  const id = newId(at.getTime());
  await tx
    .insertInto('securityProposal')
    .values({ id, ...proposed, proposedBy: by.actor.id, proposedAt: at })
    .execute();
  return { id, at };
}

/** A proposal that waits, with the names of who proposed it and whom it is about. */
export type Proposal = Awaited<ReturnType<typeof listProposals>>[number];

/** The changes that wait for another admin, oldest first. */
export function listProposals(reader: Reader) {
  return reader
    .selectFrom('securityProposal')
    .innerJoin('appUser as proposer', 'proposer.id', 'securityProposal.proposedBy')
    .leftJoin('appUser as person', 'person.id', 'securityProposal.personId')
    .select(['securityProposal.id', 'act', 'rules', 'seen', 'personId', 'reason', 'opensAt'])
    .select(['proposedBy', 'proposedAt', 'proposer.name as proposerName'])
    .select('person.name as personName')
    .where('outcome', 'is', null)
    .orderBy('proposedAt')
    .execute();
}

/**
 * Locks a proposal that waits.
 *
 * @throws {AppError} `proposal_not_found`
 */
export async function lockProposal(tx: Tx, id: string): Promise<Proposal> {
  const locked = await tx
    .selectFrom('securityProposal')
    .select('id')
    .where('id', '=', id)
    .where('outcome', 'is', null)
    .forNoKeyUpdate()
    .executeTakeFirst();
  const proposal = locked && (await listProposals(tx)).find((one) => one.id === id);
  if (proposal === undefined) throw new AppError('proposal_not_found');
  return proposal;
}

export async function closeProposal(
  tx: Tx,
  { clock }: Pick<Services, 'clock'>,
  by: CommandContext,
  { id, outcome }: { id: string; outcome: 'accepted' | 'discarded' },
): Promise<void> {
  await tx
    .updateTable('securityProposal')
    .set({ outcome, decidedBy: by.actor.id, decidedAt: clock.now() })
    .where('id', '=', id)
    .execute();
}

/**
 * Refusal of discarding a proposal; null where an admin may. Whom it is about may not where there is another who can
 * accept it, or they would discard each for ever. Where there is no other, discarding is how they say no.
 */
export function refusalOfDiscard(
  actorId: string,
  { personId, opensAt }: Pick<Proposal, 'personId' | 'opensAt'>,
): AppError | null {
  return actorId === personId && opensAt === null ? new AppError('own_account') : null;
}

/** Whatever duties the company separates, a proposed change takes two people. */
const PROPOSED = { rule: 'always', did: 'you proposed this change' } as const;

/**
 * Refusal of a proposal to an admin who wants to accept it; null where they may. It takes another one than who
 * proposed it and whom it is about, or a day, where there was no other.
 */
export function refusalOfProposal(
  duties: Duties,
  actorId: string,
  { proposedBy, personId, opensAt }: Pick<Proposal, 'proposedBy' | 'personId' | 'opensAt'>,
  now: Date,
): AppError | null {
  if (actorId === personId) return new AppError('own_account');
  if (opensAt !== null && opensAt <= now && mayBeSecond(duties, actorId)) return null;
  const notBy = personId === null ? {} : { notBy: personId };
  const refusal = refusalOf(duties, actorId, PROPOSED, { doneBy: [proposedBy], ...notBy });
  if (refusal === null) return null;
  const { why, people } = refusal;
  const isMine = actorId === proposedBy && opensAt !== null;
  const me = isMine ? [{ name: 'You', from: opensAt }] : [];
  return secondPersonNeeded({ why, people: [...people, ...me] }, duties.settings.timeZone);
}
