import type { SecurityRulesReply, SecurityRules } from '#contract/api.ts';
import { ADMINS_TO_SEPARATE, DUTY_SETTINGS } from '#contract/duties.ts';
import { money } from '#contract/money.ts';
import type { Reader } from '#server/db/tx.ts';
import { readSettings } from '#server/modules/settings/index.ts';
import type { CompanySettings } from '#server/modules/settings/index.ts';
import { findProposal } from './find-proposal.ts';
import { thresholdOf } from './require-second-person.ts';

/** The rules, and the change of them that waits, as the admin sees it who asks. */
export async function getSecurityRules(
  reader: Reader,
  actorId: string,
): Promise<SecurityRulesReply> {
  return {
    ...presentRules(await readSettings(reader)),
    canSeparateDuties: await canSeparateDuties(reader),
    proposal: await findProposal(reader, actorId),
  };
}

export async function canSeparateDuties(reader: Reader): Promise<boolean> {
  const admins = await reader
    .selectFrom('appUser')
    .select('id')
    .where('role', '=', 'admin')
    .where('deactivatedAt', 'is', null)
    .limit(ADMINS_TO_SEPARATE)
    .execute();
  return admins.length === ADMINS_TO_SEPARATE;
}

export function presentRules(settings: CompanySettings): SecurityRules {
  const { currency } = settings;
  const from = (minor: bigint | null) => (minor === null ? null : money(minor, currency));
  return {
    joinPolicy: settings.joinPolicy,
    joinDomains: [...settings.joinDomains],
    payrollLineLimit: money(settings.payrollLineLimitMinor, currency),
    payrollBatchLimit: money(settings.payrollBatchLimitMinor, currency),
    separateFrom: {
      payroll: from(thresholdOf(settings, 'payroll')),
      bankAccount: from(thresholdOf(settings, 'bankAccount')),
      payout: from(thresholdOf(settings, 'payout')),
      return: from(thresholdOf(settings, 'return')),
    },
    payoutCoolingHours: settings.payoutCoolingHours,
  };
}

/** Whether any duty takes two people. */
export function separatesDuties({ separateFrom }: SecurityRules): boolean {
  return DUTY_SETTINGS.some((duty) => separateFrom[duty] !== null);
}

/** Whether one person alone could do with money, by the new rules, what they could not by the old. */
export function isLooser(before: SecurityRules, after: SecurityRules): boolean {
  const minor = (rules: SecurityRules, duty: (typeof DUTY_SETTINGS)[number]) => {
    const from = rules.separateFrom[duty];
    return from === null ? null : BigInt(from.minor);
  };
  const isLooserDuty = DUTY_SETTINGS.some((duty) => {
    const [old, fresh] = [minor(before, duty), minor(after, duty)];
    return old !== null && (fresh === null || fresh > old);
  });
  return (
    isLooserDuty ||
    BigInt(after.payrollLineLimit.minor) > BigInt(before.payrollLineLimit.minor) ||
    BigInt(after.payrollBatchLimit.minor) > BigInt(before.payrollBatchLimit.minor) ||
    after.payoutCoolingHours < before.payoutCoolingHours
  );
}
