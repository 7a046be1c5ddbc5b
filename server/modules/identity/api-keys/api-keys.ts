import { createHash } from 'node:crypto';
import type { ApiKey } from '#contract/api.ts';
import { API_SCOPE_IDS, sendsMoney } from '#contract/api-keys.ts';
import { money } from '#contract/money.ts';
import type { ApiKeyStatus } from '#contract/statuses.ts';
import { API_KEYS_SHOWN } from '#contract/limits.ts';
import type { Reader } from '#server/db/tx.ts';
import { readSettings } from '#server/modules/settings/index.ts';
import type { CompanySettings } from '#server/modules/settings/index.ts';
import type { Services } from '#server/services.ts';

/** All that is kept of a key. It has 256 random bits, so a plain hash cannot be guessed back. */
export function apiKeyHash(key: string): Buffer {
  return createHash('sha256').update(key).digest();
}

/** Status of a key at that time. */
export function apiKeyStatusOf(
  { revokedAt, expiresAt }: { revokedAt: Date | null; expiresAt: Date },
  now: Date,
): ApiKeyStatus {
  if (revokedAt !== null) return 'revoked';
  return expiresAt > now ? 'active' : 'expired';
}

interface ApiKeyRow {
  id: string;
  name: string;
  scopes: readonly string[];
  last4: string;
  createdBy: string;
  createdAt: Date;
  expiresAt: Date;
  lastUsedAt: Date | null;
  revokedAt: Date | null;
  dailyLimitMinor: bigint | null;
}

type Limits = Pick<CompanySettings, 'payrollBatchLimitMinor' | 'currency'>;

/** The most that a key sends on a day, in minor units: of one made before keys had limits, that of one payroll. */
export function dailyLimitOf(
  { dailyLimitMinor }: { dailyLimitMinor: bigint | null },
  { payrollBatchLimitMinor }: Pick<Limits, 'payrollBatchLimitMinor'>,
): bigint {
  return dailyLimitMinor ?? payrollBatchLimitMinor;
}

export function presentApiKey(
  { revokedAt, dailyLimitMinor, ...row }: ApiKeyRow,
  settings: Limits,
  now: Date,
): ApiKey {
  const dailyLimit = money(dailyLimitOf({ dailyLimitMinor }, settings), settings.currency);
  return {
    ...row,
    dailyLimit: sendsMoney(row.scopes) ? dailyLimit : null,
    scopes: API_SCOPE_IDS.filter((scope) => row.scopes.includes(scope)),
    createdAt: row.createdAt.toISOString(),
    expiresAt: row.expiresAt.toISOString(),
    lastUsedAt: row.lastUsedAt?.toISOString() ?? null,
    status: apiKeyStatusOf({ revokedAt, expiresAt: row.expiresAt }, now),
  };
}

/** API keys, the newest first. */
export async function listApiKeys(
  reader: Reader,
  { clock }: Pick<Services, 'clock'>,
): Promise<{ items: ApiKey[] }> {
  const rows = await reader
    .selectFrom('apiKey')
    .innerJoin('appUser', 'appUser.id', 'apiKey.createdBy')
    .select(['apiKey.id', 'apiKey.name', 'scopes', 'last4', 'apiKey.createdAt', 'expiresAt'])
    .select(['lastUsedAt', 'revokedAt', 'dailyLimitMinor', 'appUser.name as createdBy'])
    .orderBy('apiKey.createdAt', 'desc')
    .orderBy('apiKey.id', 'desc')
    .limit(API_KEYS_SHOWN)
    .execute();
  const now = clock.now();
  const settings = await readSettings(reader);
  return { items: rows.map((row) => presentApiKey(row, settings, now)) };
}
