import type { Handlers } from '#server/http/handlers.ts';
import { command, query } from '#server/http/handlers.ts';
import type { Services } from '#server/services.ts';
import { getIdentityRules, updateIdentityRules } from './identity-rules.ts';

export function settingsHandlers(
  services: Services,
): Pick<Handlers, 'adminGetIdentityRules' | 'adminUpdateIdentityRules'> {
  return {
    adminGetIdentityRules: query((db) => getIdentityRules(db)),
    adminUpdateIdentityRules: command((tx, by, { body }) =>
      updateIdentityRules(tx, services, by, body),
    ),
  };
}
