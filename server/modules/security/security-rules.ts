import { isDeepStrictEqual } from 'node:util';
import type { RouteArguments, SecurityRules } from '#contract/api.ts';
import { money } from '#contract/money.ts';
import type { Reader, Tx } from '#server/db/tx.ts';
import { publish } from '#server/events/outbox.ts';
import type { By } from '#server/lib/actor.ts';
import { AppError } from '#server/lib/errors.ts';
import { notifyAdmins } from '#server/modules/notifications/index.ts';
import { lockSettings, readSettings, updateSettings } from '#server/modules/settings/index.ts';
import type { CompanySettings } from '#server/modules/settings/index.ts';
import type { Services } from '#server/services.ts';

export async function getSecurityRules(reader: Reader): Promise<SecurityRules> {
  return present(await readSettings(reader));
}

/**
 * Changes the company's rules of security; every admin is notified.
 *
 * @throws {AppError} `conflict` where they are no longer what the admin saw; `amount_invalid` for a
 *   limit in another currency than the company's
 */
export async function updateSecurityRules(
  tx: Tx,
  services: Pick<Services, 'clock'>,
  by: By,
  { seen, ...rules }: RouteArguments<'adminUpdateSecurityRules'>['body'],
): Promise<SecurityRules> {
  await lockSettings(tx);
  const settings = await readSettings(tx);
  const before = present(settings);
  if (!isDeepStrictEqual(before, seen)) throw new AppError('conflict');
  const after = { ...rules, joinDomains: [...new Set(rules.joinDomains)].toSorted() };
  for (const { currency } of [after.payrollLineLimit, after.payrollBatchLimit]) {
    if (currency !== settings.currency) throw new AppError('amount_invalid');
  }
  if (isDeepStrictEqual(before, after)) return before;
  const changed = await updateSettings(tx, services, by, {
    joinPolicy: after.joinPolicy,
    joinDomains: after.joinDomains,
    payrollLineLimitMinor: BigInt(after.payrollLineLimit.minor),
    payrollBatchLimitMinor: BigInt(after.payrollBatchLimit.minor),
  });
  await notifyAdmins(tx, {
    type: 'security',
    title: 'Security rules changed',
    message: `${by.actor.name} changed the company's rules of security.`,
    at: services.clock.now(),
  });
  await publish(tx, { topic: 'security', userId: null });
  return present(changed);
}

function present(settings: CompanySettings): SecurityRules {
  const { currency } = settings;
  return {
    joinPolicy: settings.joinPolicy,
    joinDomains: [...settings.joinDomains],
    payrollLineLimit: money(settings.payrollLineLimitMinor, currency),
    payrollBatchLimit: money(settings.payrollBatchLimitMinor, currency),
  };
}
