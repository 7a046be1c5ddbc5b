import { command, doneBy, query } from '#server/http/handlers.ts';
import type { Handlers } from '#server/http/handlers.ts';
import type { Services } from '#server/services.ts';
import { listApiKeys } from './api-keys.ts';
import { createApiKey } from './create-api-key.ts';
import { revokeApiKey } from './revoke-api-key.ts';

type ApiKeyRoute = 'adminListApiKeys' | 'adminCreateApiKey' | 'adminRevokeApiKey';

/** The keys by which the company's own systems ask the API. */
export function apiKeyHandlers(services: Services): Pick<Handlers, ApiKeyRoute> {
  return {
    adminListApiKeys: query((db) => listApiKeys(db, services)),
    adminCreateApiKey: command((tx, by, { body }) => createApiKey(tx, services, by, body)),
    adminRevokeApiKey: doneBy(services, revokeApiKey),
  };
}
