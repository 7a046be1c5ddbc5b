import { command, query } from '#server/http/handlers.ts';
import type { Handlers } from '#server/http/handlers.ts';
import type { Services } from '#server/services.ts';
import { decideProposal } from './decide-proposal.ts';
import { freezePayouts, freezePayoutsOf, releasePayouts } from '#server/modules/identity/index.ts';
import { getSecurityRules } from './rules.ts';
import { updateSecurityRules } from './security-rules.ts';

type Names =
  | 'adminGetSecurityRules'
  | 'adminUpdateSecurityRules'
  | 'adminAcceptSecurityProposal'
  | 'adminDiscardSecurityProposal'
  | 'freezePayouts'
  | 'adminFreezePayouts'
  | 'adminReleasePayouts';

export function securityHandlers(services: Services): Pick<Handlers, Names> {
  return {
    adminGetSecurityRules: query((db, { actor }) => getSecurityRules(db, actor.id)),
    adminUpdateSecurityRules: command((tx, by, { body }) =>
      updateSecurityRules(tx, services, by, body),
    ),
    adminAcceptSecurityProposal: command((tx, by, { params }) =>
      decideProposal(tx, services, by, { id: params.id, outcome: 'accepted' }),
    ),
    freezePayouts: command(async (tx, by) => {
      await freezePayouts(tx, services, by);
      return { ok: true };
    }),
    adminFreezePayouts: command(async (tx, by, { params, body }) => {
      await freezePayoutsOf(tx, services, by, { id: params.id, reason: body.reason });
      return { ok: true };
    }),
    adminReleasePayouts: command(async (tx, by, { params, body }) => {
      await releasePayouts(tx, services, by, { id: params.id, reason: body.reason });
      return { ok: true };
    }),
    adminDiscardSecurityProposal: command((tx, by, { params }) =>
      decideProposal(tx, services, by, { id: params.id, outcome: 'discarded' }),
    ),
  };
}
