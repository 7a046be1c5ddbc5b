import type { SecurityRulesReply, SecurityRules } from '#contract/api.ts';
import { ADMINS_TO_SEPARATE, DUTY_SETTINGS } from '#contract/duties.ts';
import type { Reader } from '#server/db/tx.ts';
import { readSettings } from '#server/modules/settings/index.ts';
import { findProposal } from './find-proposal.ts';
import { presentRules } from './present-rules.ts';

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
    after.payoutCoolingHours < before.payoutCoolingHours ||
    (before.requireAdminTwoFactor && !after.requireAdminTwoFactor) ||
    after.adminIdleMinutes > before.adminIdleMinutes ||
    after.employeeIdleMinutes > before.employeeIdleMinutes
  );
}
