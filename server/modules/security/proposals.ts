import type { AdminAct, PROPOSED_ACTS } from '#contract/duties.ts';
import { SETTINGS, SETTING_NAMES } from '#contract/settings.ts';
import type { SettingName, SettingValues } from '#contract/settings.ts';
import type { Reader, Tx } from '#server/db/tx.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { AppError } from '#server/lib/errors.ts';
import { newId } from '#server/lib/ids.ts';
import { record } from '#server/modules/journal/index.ts';
import type { Services } from '#server/services.ts';
import { mayBeSecond, refusalOf, secondPersonNeeded } from './duties.ts';
import type { Duties } from './duties.ts';

/**
 * The proposed change: values of settings with those before, an act on an administrator, or a closed month to open again,
 * the last two with their reason.
 */
export interface Proposed {
  act: (typeof PROPOSED_ACTS)[number];
  /** JSON of the settings as they are to be, and as they were. */
  rules?: string;
  seen?: string;
  personId?: string;
  /** Closing of a month, which is to be opened again. */
  closingId?: string;
  reason?: string;
  /** Time from which it needs no other administrator, where there is none. */
  opensAt?: Date | null;
}

/** Words of each act in a notification: "Renee Albright proposes to let Gus Host in again." */
export const ADMIN_ACT_WORDS: Readonly<Record<AdminAct, (name: string) => string>> = {
  resetTwoFactor: (name) => `turn off the two-factor of ${name}`,
  reactivate: (name) => `let ${name} in again`,
  revokeAdmin: (name) => `remove the administrator rights of ${name}`,
};

/**
 * Stores a change for another admin to accept. One of the same act on the same person that waits is discarded for it. The
 * settings or the person have been locked.
 */
export async function propose(
  tx: Tx,
  services: Pick<Services, 'clock'>,
  by: CommandContext,
  proposed: Proposed,
): Promise<{ id: string; at: Date }> {
  const at = services.clock.now();
  const { act, personId = null } = proposed;
  for (const proposal of await listProposals(tx)) {
    if (proposal.act !== act || proposal.personId !== personId) continue;
    await closeProposal(tx, services, by, { proposal, outcome: 'discarded' });
  }
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
    .select('closingId')
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

/** Closes a proposal. All administrators are mailed when somebody discards what another proposed. */
export async function closeProposal(
  tx: Tx,
  { clock }: Pick<Services, 'clock'>,
  by: CommandContext,
  { proposal, outcome }: { proposal: Proposal; outcome: 'accepted' | 'discarded' },
): Promise<void> {
  const at = clock.now();
  const { id, act, personId, personName, proposedBy, proposerName: proposer } = proposal;
  await tx
    .updateTable('securityProposal')
    .set({ outcome, decidedBy: by.actor.id, decidedAt: at })
    .where('id', '=', id)
    .execute();
  const isOfAnother = outcome === 'discarded' && proposedBy !== by.actor.id;
  if (act === 'changeSettings') {
    const names = Object.keys(proposedValues(proposal.rules)) as SettingName[];
    const what = `change ${names.map((name) => SETTINGS[name].label).join(', ')}`;
    const words = { proposer, what };
    if (!isOfAnother) record(tx, by, `settings.${outcome}`, { id });
    else record(tx, by, 'settings.discarded_by_another', { id, relatedId: null, at, words });
    return;
  }
  if (act === 'reopenMonth') {
    if (!isOfAnother) record(tx, by, `month_reopening.${outcome}`, { id });
    else {
      const words = { proposer, what: 'open a closed month again' };
      record(tx, by, 'month_reopening.discarded_by_another', { id, relatedId: null, at, words });
    }
    return;
  }
  const about = { id, personId, details: { act } };
  const words = { proposer, what: ADMIN_ACT_WORDS[act](personName ?? '') };
  if (!isOfAnother) record(tx, by, `admin_change.${outcome}`, about);
  else
    record(tx, by, 'admin_change.discarded_by_another', { ...about, relatedId: null, at, words });
}

/**
 * Settings as they were proposed, without names that are no settings of this version. The reply's schema checks the
 * values again.
 */
export function proposedValues(stored: unknown): Partial<SettingValues> {
  const written = stored as Record<string, unknown>;
  const known = SETTING_NAMES.filter((name) => Object.hasOwn(written, name));
  return Object.fromEntries(known.map((name) => [name, written[name]]));
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
