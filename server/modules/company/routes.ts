import { command, query } from '#server/http/handlers.ts';
import type { Handlers } from '#server/http/handlers.ts';
import type { Services } from '#server/services.ts';
import { changeSettings } from './change-settings.ts';
import { decideProposal } from './decide-proposal.ts';
import { getSettings } from './get-settings.ts';

type Names =
  | 'adminGetSettings'
  | 'adminUpdateSettings'
  | 'adminAcceptSettingsProposal'
  | 'adminDiscardSettingsProposal';

export function companyHandlers(services: Services): Pick<Handlers, Names> {
  return {
    adminGetSettings: query((db, { actor }) => getSettings(db, services, actor.id)),
    adminUpdateSettings: command((tx, by, { body }) => changeSettings(tx, services, by, body)),
    adminAcceptSettingsProposal: command((tx, by, { params }) =>
      decideProposal(tx, services, by, { id: params.id, outcome: 'accepted' }),
    ),
    adminDiscardSettingsProposal: command((tx, by, { params }) =>
      decideProposal(tx, services, by, { id: params.id, outcome: 'discarded' }),
    ),
  };
}
