import type { RouteArguments, RouteReply } from '#contract/api.ts';
import type { Reader, Tx } from '#server/db/tx.ts';
import { publish } from '#server/events/outbox.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { AppError } from '#server/lib/errors.ts';
import type { Services } from '#server/services.ts';
import type { CompanySettings } from './company-settings.ts';
import { readSettings } from './read-settings.ts';
import { lockSettings, updateSettings } from './update-settings.ts';

type IdentityRules = RouteReply<'adminGetIdentityRules'>;

export async function getIdentityRules(reader: Reader): Promise<IdentityRules> {
  return presentRules(await readSettings(reader));
}

/**
 * Changes the legal age and the retention. The next submission is held to the age, and the next
 * sweep to the retention.
 *
 * @throws {AppError} `conflict` where they are no longer what the admin saw
 */
export async function updateIdentityRules(
  tx: Tx,
  services: Pick<Services, 'clock'>,
  by: CommandContext,
  { minAgeYears, retentionDays, seen }: RouteArguments<'adminUpdateIdentityRules'>['body'],
): Promise<IdentityRules> {
  await lockSettings(tx);
  const before = await getIdentityRules(tx);
  if (before.minAgeYears !== seen.minAgeYears || before.retentionDays !== seen.retentionDays) {
    throw new AppError('conflict');
  }
  const patch = {
    ...(minAgeYears === before.minAgeYears ? {} : { kycMinAgeYears: minAgeYears }),
    ...(retentionDays === before.retentionDays ? {} : { kycRetentionDays: retentionDays }),
  };
  if (Object.keys(patch).length === 0) return before;
  const after = await updateSettings(tx, services, by, patch);
  publish(tx, { topic: 'kyc', userId: null });
  return presentRules(after);
}

function presentRules({ kycMinAgeYears, kycRetentionDays }: CompanySettings): IdentityRules {
  return { minAgeYears: kycMinAgeYears, retentionDays: kycRetentionDays };
}
