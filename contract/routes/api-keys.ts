import { z } from 'zod';
import { namedEnum, namedObject } from '../schema-names.ts';
import { API_KEY_DAYS, API_SCOPE_IDS, apiKeyNameRule, NO_SCOPES_PROBLEM } from '../api-keys.ts';
import { API_KEY_STATUSES } from '../statuses.ts';
import { done } from './common.ts';
import { amount, id, idParams, instant, money, numberOf, textOf } from './values.ts';
import { defineRoute } from './define.ts';

const scopes = z.array(namedEnum('ApiScope', API_SCOPE_IDS));

const apiKey = namedObject('ApiKey', {
  id,
  name: z.string(),
  scopes,
  /** The last four characters of it; the rest is kept nowhere. */
  last4: z.string(),
  createdBy: z.string(),
  createdAt: instant,
  expiresAt: instant,
  /** To the minute; null for one that was never used. */
  lastUsedAt: instant.nullable(),
  status: namedEnum('ApiKeyStatus', API_KEY_STATUSES),
  /** The most that it sends on a day of the company; null for one that sends no money. */
  dailyLimit: money.nullable(),
});

export const apiKeyRoutes = {
  adminListApiKeys: defineRoute('GET /api/admin/api-keys', {
    summary: 'API keys, newest first, without the keys themselves',
    access: 'admin',
    topics: ['people'],
    reply: z.object({ items: z.array(apiKey) }),
  }),
  adminCreateApiKey: defineRoute('POST /api/admin/api-keys', {
    summary: 'Make an API key; it is in this reply and nowhere else',
    access: 'admin',
    confirms: 'recent',
    changes: { admins: ['people'] },
    body: z.object({
      name: textOf(apiKeyNameRule),
      scopes: scopes.min(1, NO_SCOPES_PROBLEM).max(API_SCOPE_IDS.length),
      days: numberOf(API_KEY_DAYS),
      /** Needed by a key that sends money. */
      dailyLimit: amount.optional(),
    }),
    reply: apiKey.extend({ key: z.string() }),
    status: 201,
    errors: ['api_key_limit_needed', 'amount_invalid'],
  }),
  adminRevokeApiKey: defineRoute('POST /api/admin/api-keys/{id}/revoke', {
    summary: 'Revoke an API key: from then on it is refused',
    access: 'admin',
    changes: { admins: ['people'] },
    params: idParams,
    reply: done,
    errors: ['api_key_not_found', 'api_key_not_active'],
  }),
};
