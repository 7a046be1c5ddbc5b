import { command, query } from '#server/http/handlers.ts';
import type { Handlers } from '#server/http/handlers.ts';
import type { Services } from '#server/services.ts';
import { getSecurityRules, updateSecurityRules } from './security-rules.ts';

export function securityHandlers(
  services: Services,
): Pick<Handlers, 'adminGetSecurityRules' | 'adminUpdateSecurityRules'> {
  return {
    adminGetSecurityRules: query((db) => getSecurityRules(db)),
    adminUpdateSecurityRules: command((tx, by, { body }) =>
      updateSecurityRules(tx, services, by, body),
    ),
  };
}
