import { z } from 'zod';
import { DUTY_SETTINGS, PAYOUT_COOLING_HOURS } from '../duties.ts';
import type { DutySetting } from '../duties.ts';
import { IDLE_MINUTES } from '../identity.ts';
import { domainRule, JOIN_POLICIES, MOST_JOIN_DOMAINS } from '../people.ts';
import { MISSING } from '../rules.ts';
import { amount, done, id, idParams, instant, money, numberOf, reason, textOf } from './common.ts';
import { defineRoute } from './define.ts';

/** A value for each duty that a company sets. */
function forEachDuty<Value extends z.ZodType>(value: Value) {
  const shape = Object.fromEntries(DUTY_SETTINGS.map((duty) => [duty, value]));
  return z.object(shape as Record<DutySetting, Value>);
}

const rules = z.object({
  /** Who may sign up; whoever does waits as an applicant. */
  joinPolicy: z.enum(JOIN_POLICIES),
  /** Of the addresses that may sign up where the policy is `domains`. */
  joinDomains: z.array(textOf(domainRule)).max(MOST_JOIN_DOMAINS),
  /** Most that a payroll may pay to each employee, and in all. */
  payrollLineLimit: amount,
  payrollBatchLimit: amount,
  /** From which amount a duty takes two people; null: never. */
  separateFrom: forEachDuty(amount.nullable()),
  /** Hours that no money goes to a bank account that is new or changed, or after a password reset. */
  payoutCoolingHours: numberOf(PAYOUT_COOLING_HOURS),
  /** Whether admins need two-factor; who has none can do nothing but set it up. */
  requireAdminTwoFactor: z.boolean(),
  /** Minutes without a request after which a user is signed out. */
  adminIdleMinutes: numberOf(IDLE_MINUTES),
  employeeIdleMinutes: numberOf(IDLE_MINUTES),
});

/** As they are. */
const rulesSeen = rules.extend({
  joinDomains: z.array(z.string()),
  payrollLineLimit: money,
  payrollBatchLimit: money,
  separateFrom: forEachDuty(money.nullable()),
  payoutCoolingHours: z.number().int(),
  adminIdleMinutes: z.number().int(),
  employeeIdleMinutes: z.number().int(),
});

const reply = rulesSeen.extend({
  /** Whether enough admins are active to separate duties. */
  canSeparateDuties: z.boolean(),
  /** A change that waits for another admin. */
  proposal: z
    .object({
      id,
      rules: rulesSeen,
      proposedBy: z.string(),
      proposedAt: instant,
      /** Whether the admin who asks proposed it, and so may only discard it. */
      isMine: z.boolean(),
    })
    .nullable(),
});

export const securityRoutes = {
  adminGetSecurityRules: defineRoute({
    summary: 'Who may join, and what limits and rules of security the company has set',
    access: 'admin',
    reply,
  }),
  adminUpdateSecurityRules: defineRoute({
    summary:
      'Change the rules of security; where duties are separated, what loosens them waits for another admin',
    access: 'admin',
    confirms: 'recent',
    body: rules
      .extend({
        /** The rules this change was made on. */
        seen: rulesSeen,
      })
      .refine(({ joinPolicy, joinDomains }) => joinPolicy !== 'domains' || joinDomains.length > 0, {
        path: ['joinDomains'],
        error: MISSING,
      }),
    reply,
    errors: ['conflict', 'amount_invalid', 'two_admins_needed'],
  }),
  adminAcceptSecurityProposal: defineRoute({
    summary: 'Accept the change of the rules that another admin proposed',
    access: 'admin',
    confirms: 'recent',
    params: idParams,
    reply,
    errors: ['proposal_not_found', 'second_person_needed', 'conflict'],
  }),
  adminDiscardSecurityProposal: defineRoute({
    summary: 'Discard a proposed change of the rules',
    access: 'admin',
    params: idParams,
    reply,
    errors: ['proposal_not_found'],
  }),
  freezePayouts: defineRoute({
    summary: 'This was not me: no money of mine leaves until an admin has looked',
    access: 'employee',
    reply: done,
  }),
  adminReleasePayouts: defineRoute({
    summary: 'Let the money of a person leave again, with a reason',
    access: 'admin',
    confirms: 'recent',
    params: idParams,
    body: z.object({ reason }),
    reply: done,
    errors: ['person_not_found', 'payouts_not_frozen', 'own_account'],
  }),
};
