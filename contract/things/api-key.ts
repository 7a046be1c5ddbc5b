import { API_KEY_STATUSES } from '../statuses.ts';
import { defineThing } from './thing.ts';

/** Key by which one of the company's own systems uses the API. Only a hash of it is kept. */
export const apiKey = defineThing({
  name: 'api_key',
  isOfCompany: true,
  keepsMoments: true,
  statuses: API_KEY_STATUSES,
  topic: 'people',
  movesMoney: false,
  refusals: { notFound: 'api_key_not_found', wrongStatus: 'api_key_not_active' },
  acts: {
    create: {
      by: 'anyAdmin',
      from: [],
      to: 'active',
      past: 'created',
      words: 'API key made',
      operation: 'adminCreateApiKey',
      hasForm: true,
      toAdmins: {
        kind: 'api-key-created',
        title: 'API key made',
        message: '{actor} created the API key “{key}”, which works for {days} days.',
      },
    },
    revoke: {
      by: 'anyAdmin',
      from: ['active'],
      to: 'revoked',
      past: 'revoked',
      words: 'API key revoked',
      operation: 'adminRevokeApiKey',
      offer: {
        label: 'Revoke',
        kind: 'danger',
        title: 'Revoke this API key?',
        consequence: 'Systems that use it are refused from now on. This cannot be undone.',
        pending: 'Revoking',
        done: 'API Key Revoked',
      },
    },
    /** Follows where its maker no longer is an administrator, or others got into their account. */
    endWithMaker: {
      by: 'system',
      from: ['active', 'expired'],
      to: 'revoked',
      past: 'revoked',
      words: 'API key revoked',
      live: {},
    },
    /** Follows from the time alone. Nothing records it. */
    expire: { by: 'system', from: ['active'], to: 'expired', past: 'expired', did: null },
  },
});
