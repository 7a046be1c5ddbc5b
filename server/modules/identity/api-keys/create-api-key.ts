import type { RouteArguments, RouteReply } from '#contract/api.ts';
import { API_KEY_PREFIX, sendsMoney } from '#contract/api-keys.ts';
import type { Money } from '#contract/money.ts';
import { apiKey } from '#contract/things/api-key.ts';
import type { Tx } from '#server/db/tx.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { AppError } from '#server/lib/errors.ts';
import { newId, newToken } from '#server/lib/ids.ts';
import { journal } from '#server/modules/journal/index.ts';
import { readSettings } from '#server/modules/settings/index.ts';
import type { CompanySettings } from '#server/modules/settings/index.ts';
import type { Services } from '#server/services.ts';
import { lockMaker } from '../lock-person.ts';
import { apiKeyHash, presentApiKey } from './api-keys.ts';

const DAY_MS = 86_400_000;

/**
 * Makes an API key: random 256 bits behind API_KEY_PREFIX, in the reply and nowhere else.
 *
 * @throws {AppError} `forbidden` when the acting admin is not one any more; `api_key_limit_needed` without a limit if
 *   it sends money; `amount_invalid` for a limit of nothing or in another currency
 */
export async function createApiKey(
  tx: Tx,
  { clock }: Pick<Services, 'clock'>,
  by: CommandContext,
  { name, scopes, days, dailyLimit }: RouteArguments<'adminCreateApiKey'>['body'],
): Promise<RouteReply<'adminCreateApiKey'>> {
  const now = clock.now();
  await lockMaker(tx, by.actor.id);
  const settings = await readSettings(tx);
  const dailyLimitMinor = sendsMoney(scopes) ? readLimit(dailyLimit, settings) : null;
  const key = `${API_KEY_PREFIX}${newToken()}`;
  const row = {
    id: newId(now.getTime()),
    name,
    scopes: [...new Set(scopes)],
    last4: key.slice(-4),
    dailyLimitMinor,
    createdAt: now,
    expiresAt: new Date(now.getTime() + days * DAY_MS),
  };
  const tokenHash = apiKeyHash(key);
  await tx
    .insertInto('apiKey')
    .values({ ...row, tokenHash, createdBy: by.actor.id })
    .execute();
  journal(tx, by, apiKey, 'create', {
    id: row.id,
    relatedId: null,
    at: now,
    details: {
      name,
      scopes: row.scopes,
      days,
      tokenHash: tokenHash.toString('hex'),
      ...(dailyLimitMinor !== null && { dailyLimitMinor: dailyLimitMinor.toString() }),
    },
    words: { key: name, days: String(days) },
  });
  const made = { ...row, createdBy: by.actor.name, lastUsedAt: null, revokedAt: null };
  return { ...presentApiKey(made, settings, now), key };
}

/** @throws {AppError} `api_key_limit_needed`, `amount_invalid` */
function readLimit(
  limit: Money | undefined,
  { currency }: Pick<CompanySettings, 'currency'>,
): bigint {
  if (limit === undefined) throw new AppError('api_key_limit_needed');
  const minor = BigInt(limit.minor);
  if (minor <= 0n || limit.currency !== currency) throw new AppError('amount_invalid');
  return minor;
}
