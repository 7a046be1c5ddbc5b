import type { RouteReply } from '#contract/api.ts';
import { hoursPass } from '#test/hours-pass.ts';
import { anAdmin, attempt, pickMostly, pickOne } from './attempt.ts';
import type { Attempt, Move } from './attempt.ts';
import { expectSame } from './compare-kit.ts';
import type { Company } from './company.ts';
import { endSessionsOf } from './sessions.ts';
import type { ModelAccessProposal, ModelPerson } from './things.ts';

const REASON = { reason: 'A reason that is long enough' };
const PROPOSALS = '/api/admin/settings/proposals';
/** Hours in which no invite is used, by the true time. */
const LONG_AGO_MS = 100 * 3_600_000;
/** Administrators whom the duties of a run need, so that they stay in force. */
const LEAST = 3;
const MOST = 6;
/** Employees without rights that a run keeps. */
const LEAST_EMPLOYEES = 3;

function administrators({ oracle }: Company): ModelPerson[] {
  return [...oracle.people.values()].filter(({ isAdmin }) => isAdmin);
}

/** True if enough administrators are left without this one who can be a second person. */
function areEnoughWithout(company: Company, person: ModelPerson): boolean {
  const others = administrators(company).filter((one) => one !== person);
  return others.filter(({ id }) => !company.oracle.isNew(id)).length >= LEAST;
}

/** Invites somebody, mostly an employee by their address. */
function invite(company: Company): Attempt | null {
  const { oracle, random } = company;
  const isExpired = random.chance(0.15);
  const person = random.chance(0.6) ? pickOne(company, oracle.people.values()) : null;
  const email = person?.email ?? null;
  const by = anAdmin(company);
  return attempt<RouteReply<'adminCreateInvite'>>({
    by,
    at: new Date(Date.now() - (isExpired ? LONG_AGO_MS : 0)),
    path: '/api/admin/invites',
    confirms: true,
    body: { email },
    refusals: [oracle.isNew(by.id) && 'cannot_invite_yet'],
    done({ id, link }) {
      const token = /invite=([^&]+)/.exec(link ?? '')?.[1];
      if (token === undefined) throw new Error(`an invite without a link: ${link}`);
      const status = isExpired ? 'expired' : 'waiting';
      oracle.invites.set(id, { id, token, email, by: by.id, status });
    },
  });
}

function revokeInvite(company: Company): Attempt | null {
  const all = company.oracle.invites.values();
  const one = pickMostly(company, all, ({ status }) => status === 'waiting');
  if (one === null) return null;
  return attempt({
    by: anAdmin(company),
    at: new Date(),
    path: `/api/admin/invites/${one.id}/revoke`,
    refusals: [one.status !== 'waiting' && 'invite_not_waiting'],
    done: () => {
      one.status = 'revoked';
    },
  });
}

/** Somebody uses an invite. An administrator gains nothing by it. */
function redeem(company: Company): Attempt | null {
  const { oracle, random } = company;
  const all = oracle.invites.values();
  const one = pickMostly(company, all, ({ status }) => status === 'waiting');
  if (one === null) return null;
  const here = [...oracle.people.values()].filter(({ hasLeft }) => !hasLeft);
  const admins = here.filter(({ isAdmin }) => isAdmin);
  const isFull = admins.length >= MOST || here.length - admins.length <= LEAST_EMPLOYEES;
  const fits = ({ email, isAdmin }: ModelPerson) =>
    (one.email === null || one.email === email) && isAdmin === isFull;
  const by = random.chance(0.9) ? pickOne(company, here.filter(fits)) : pickOne(company, here);
  if (by === null || (isFull && !by.isAdmin)) return null;
  return attempt({
    by,
    path: '/api/auth/redeem-invite',
    isIdle: by.isAdmin,
    body: { token: one.token },
    refusals: [
      one.status !== 'waiting' && 'invite_invalid',
      one.email !== null && one.email !== by.email && 'invite_other_email',
    ],
    async done() {
      if (by.isAdmin) return;
      one.status = 'used';
      by.isAdmin = true;
      by.isEmployee = oracle.accountsOf(by.id).length > 0;
      oracle.newcomers.push({ id: by.id, by: one.by });
      await endSessionsOf(company, by);
    },
  });
}

/** Proposes that somebody is no administrator any more. */
function proposeEnd(company: Company): Attempt {
  const { oracle, random } = company;
  const isLegal = random.chance(0.9);
  const all = [...oracle.people.values()];
  const person = random.pick(
    all.filter(({ isAdmin, hasLeft }) => (isLegal ? isAdmin : !hasLeft)) as [ModelPerson],
  );
  const by = anAdmin(company);
  return attempt<RouteReply<'adminRevokeAdmin'>>({
    by,
    path: `/api/admin/people/${person.id}/revoke-admin`,
    confirms: true,
    body: REASON,
    refusals: [by === person && 'own_account', !person.isAdmin && 'person_wrong_standing'],
    done({ proposal }) {
      if (proposal === null) throw new Error(`${person.name} is no administrator any more`);
      expectSame('time from which a proposal needs nobody else', proposal.opensAt, null);
      for (const { id, personId } of oracle.accessProposals.values()) {
        if (personId === person.id) oracle.accessProposals.delete(id);
      }
      const { id } = proposal;
      oracle.accessProposals.set(id, { id, act: 'revokeAdmin', personId: person.id, by: by.id });
    },
  });
}

/** Accepts or discards such a proposal. What the person began stays, and their sessions and API keys end. */
function decide(company: Company): Attempt | null {
  const { oracle, random } = company;
  const proposal = pickOne(company, oracle.accessProposals.values());
  if (proposal === null) return null;
  const person = oracle.person(proposal.personId);
  const by = anAdmin(company);
  const isAccepted = random.chance(0.8);
  const isOwn = by === person;
  const isAlone = oracle.isAlone(by, [proposal.by]);
  if (isAccepted && !isOwn && !isAlone && !areEnoughWithout(company, person)) return null;
  return attempt<RouteReply<'adminAcceptSettingsProposal'>>({
    by,
    path: `${PROPOSALS}/${proposal.id}/${isAccepted ? 'accept' : 'discard'}`,
    confirms: isAccepted,
    refusals: [
      isOwn && 'own_account',
      isAccepted && isAlone && 'second_person_needed',
      isAccepted && !person.isAdmin && 'person_wrong_standing',
    ],
    async done(reply) {
      oracle.accessProposals.delete(proposal.id);
      if (isAccepted) await endRights(company, person);
      compareProposals(company, reply);
    },
  });
}

async function endRights(company: Company, person: ModelPerson): Promise<void> {
  const { oracle } = company;
  person.isAdmin = false;
  person.isEmployee = true;
  for (const key of oracle.apiKeys.values()) {
    if (key.makerId === person.id) key.status = 'revoked';
  }
  for (const one of oracle.invites.values()) {
    if (one.by === person.id && one.status === 'waiting') one.status = 'revoked';
  }
  await endSessionsOf(company, person);
}

/** Compares the acts on administrators that wait, as a screen shows them. */
export function compareProposals(
  { oracle }: Company,
  { adminProposals }: Pick<RouteReply<'adminGetSettings'>, 'adminProposals'>,
): void {
  const written = ({ id, act, personId }: Omit<ModelAccessProposal, 'by'>) =>
    [id, act, personId].join(' ');
  expectSame(
    'acts on administrators that wait',
    adminProposals
      .map(({ person, ...one }) => written({ ...one, personId: person.id } as never))
      .toSorted(),
    [...oracle.accessProposals.values()].map(written).toSorted(),
  );
}

/** The hours in which a new administrator is nobody's second person are over. */
async function hoursGoBy({ app, oracle }: Company): Promise<null> {
  if (oracle.newcomers.length === 0) return null;
  await hoursPass(app, 1_000, ['second_person_wait']);
  oracle.newcomers.length = 0;
  return null;
}

export const administratorMoves: readonly Move[] = [
  { weight: 4, make: invite },
  { weight: 1, make: revokeInvite },
  { weight: 6, make: redeem },
  { weight: 3, make: proposeEnd },
  { weight: 5, make: decide },
  { weight: 2, make: hoursGoBy },
];
