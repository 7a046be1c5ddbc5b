import { isDeepStrictEqual } from 'node:util';
import type { RouteArguments, SecurityRules, SecurityRulesReply } from '#contract/api.ts';
import { DUTY_SETTINGS } from '#contract/duties.ts';
import type { Money } from '#contract/money.ts';
import type { Tx } from '#server/db/tx.ts';
import { publish } from '#server/events/outbox.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { AppError } from '#server/lib/errors.ts';
import { newId } from '#server/lib/ids.ts';
import { recordAudit } from '#server/modules/audit/index.ts';
import { notifyAdmins } from '#server/modules/notifications/index.ts';
import { lockSettings, readSettings, updateSettings } from '#server/modules/settings/index.ts';
import type { Services } from '#server/services.ts';
import { presentRules } from './present-rules.ts';
import { canSeparateDuties, getSecurityRules, isLooser, separatesDuties } from './rules.ts';

type Clocked = Pick<Services, 'clock'>;

/**
 * Changes the company's rules of security; every admin is notified. While duties are separated, a
 * change that loosens the rules about money is proposed instead, in place of an earlier proposal, and
 * holds once another admin accepts it: otherwise one admin alone could switch the second one off.
 *
 * @throws {AppError} `conflict` where the rules are no longer what the admin saw; `amount_invalid` for
 *   an amount in another currency than the company's; `two_admins_needed`
 */
export async function updateSecurityRules(
  tx: Tx,
  services: Clocked,
  by: CommandContext,
  { seen, ...rules }: RouteArguments<'adminUpdateSecurityRules'>['body'],
): Promise<SecurityRulesReply> {
  await lockSettings(tx);
  const settings = await readSettings(tx);
  const before = presentRules(settings);
  if (!isDeepStrictEqual(before, seen)) throw new AppError('conflict');
  const after = { ...rules, joinDomains: [...new Set(rules.joinDomains)].toSorted() };
  if (amountsOf(after).some(({ currency }) => currency !== settings.currency)) {
    throw new AppError('amount_invalid');
  }
  const separatesMore = DUTY_SETTINGS.some(
    (duty) => before.separateFrom[duty] === null && after.separateFrom[duty] !== null,
  );
  if (separatesMore && !(await canSeparateDuties(tx))) throw new AppError('two_admins_needed');
  if (!isDeepStrictEqual(before, after)) {
    if (separatesDuties(before) && isLooser(before, after)) {
      await propose(tx, services, by, { before, after });
    } else {
      await applyRules(tx, services, by, after);
    }
  }
  return getSecurityRules(tx, by.actor.id);
}

/** Writes the rules; the settings' row is locked. */
export async function applyRules(
  tx: Tx,
  services: Clocked,
  by: CommandContext,
  rules: SecurityRules,
): Promise<void> {
  const from = (amount: Money | null) => (amount === null ? null : BigInt(amount.minor));
  await updateSettings(tx, services, by, {
    joinPolicy: rules.joinPolicy,
    joinDomains: rules.joinDomains,
    payrollLineLimitMinor: BigInt(rules.payrollLineLimit.minor),
    payrollBatchLimitMinor: BigInt(rules.payrollBatchLimit.minor),
    separatePayrollMinor: from(rules.separateFrom.payroll),
    separateBankAccountMinor: from(rules.separateFrom.bankAccount),
    separatePayoutMinor: from(rules.separateFrom.payout),
    separateReturnMinor: from(rules.separateFrom.return),
    payoutCoolingHours: rules.payoutCoolingHours,
    requireAdminTwoFactor: rules.requireAdminTwoFactor,
    adminIdleMinutes: rules.adminIdleMinutes,
    employeeIdleMinutes: rules.employeeIdleMinutes,
  });
  await announce(tx, services, {
    title: 'Security rules changed',
    message: `${by.actor.name} changed the company's rules of security.`,
  });
}

async function propose(
  tx: Tx,
  services: Clocked,
  by: CommandContext,
  { before, after }: { before: SecurityRules; after: SecurityRules },
): Promise<void> {
  const at = services.clock.now();
  await tx
    .updateTable('securityProposal')
    .set({ outcome: 'discarded', decidedBy: by.actor.id, decidedAt: at })
    .where('outcome', 'is', null)
    .execute();
  const id = newId(at.getTime());
  await tx
    .insertInto('securityProposal')
    .values({
      id,
      rules: JSON.stringify(after),
      seen: JSON.stringify(before),
      proposedBy: by.actor.id,
      proposedAt: at,
    })
    .execute();
  recordAudit(tx, {
    by,
    action: 'security.proposed',
    subjectType: 'security_proposal',
    subjectId: id,
    details: { rules: JSON.stringify(after), seen: JSON.stringify(before) },
  });
  await announce(tx, services, {
    title: 'Security rules: a change waits',
    message: `${by.actor.name} proposes to loosen the company's rules of security. Another administrator has to agree.`,
  });
}

async function announce(
  tx: Tx,
  { clock }: Clocked,
  words: { title: string; message: string },
): Promise<void> {
  notifyAdmins(tx, { type: 'security', ...words, at: clock.now() });
  publish(tx, { topic: 'security', userId: null });
}

function amountsOf(rules: SecurityRules): Money[] {
  const { payrollLineLimit, payrollBatchLimit, separateFrom } = rules;
  return [payrollLineLimit, payrollBatchLimit, ...Object.values(separateFrom)].filter(
    (amount) => amount !== null,
  );
}
