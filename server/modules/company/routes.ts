import type { SettingsReply } from '#contract/api.ts';
import { command, doneAfter, query } from '#server/http/handlers.ts';
import type { Handlers } from '#server/http/handlers.ts';
import type { Identity } from '#server/modules/identity/index.ts';
import type { Services } from '#server/services.ts';
import { changeSettings } from './change-settings.ts';
import { decideProposal } from './decide-proposal.ts';
import { getSettings } from './get-settings.ts';
import type { KnownSettings } from './get-settings.ts';
import { skipTwoFactor } from './skip-two-factor.ts';
import { decideSetupStep, dismissSetup, getSetup } from './setup.ts';

type Names =
  | 'adminGetSettings'
  | 'adminUpdateSettings'
  | 'adminAcceptSettingsProposal'
  | 'adminDiscardSettingsProposal'
  | 'adminGetSetup'
  | 'adminDecideSetupStep'
  | 'adminDismissSetup'
  | 'adminSkipTwoFactor';

export function companyHandlers(
  services: Services,
  { confirmsEmail, isProduction }: Pick<Identity, 'confirmsEmail' | 'isProduction'>,
): Pick<Handlers, Names> {
  const complete = <Known extends KnownSettings>(known: Known): Known & SettingsReply => ({
    ...known,
    hasMailServer: confirmsEmail,
  });
  return {
    adminGetSettings: query(async (db, { actor }) =>
      complete(await getSettings(db, services, actor.id)),
    ),
    adminUpdateSettings: command(async (tx, by, { body }) =>
      complete(await changeSettings(tx, services, by, body)),
    ),
    adminAcceptSettingsProposal: command(async (tx, by, { params }) =>
      complete(await decideProposal(tx, services, by, { id: params.id, outcome: 'accepted' })),
    ),
    adminDiscardSettingsProposal: command(async (tx, by, { params }) =>
      complete(await decideProposal(tx, services, by, { id: params.id, outcome: 'discarded' })),
    ),
    adminGetSetup: query((db) => getSetup(db)),
    adminDecideSetupStep: command((tx, by, { body }) => decideSetupStep(tx, services, by, body)),
    adminDismissSetup: command((tx, by) => dismissSetup(tx, services, by)),
    adminSkipTwoFactor: doneAfter((tx, by) => skipTwoFactor(tx, { ...services, isProduction }, by)),
  };
}
