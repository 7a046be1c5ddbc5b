import { z } from 'zod';
import { domainRule, JOIN_POLICIES, MOST_JOIN_DOMAINS } from '../people.ts';
import { MISSING } from '../rules.ts';
import { amount, money, textOf } from './common.ts';
import { defineRoute } from './define.ts';

const rules = z.object({
  /** Who may sign up; whoever does waits as an applicant. */
  joinPolicy: z.enum(JOIN_POLICIES),
  /** Of the addresses that may sign up where the policy is `domains`. */
  joinDomains: z.array(textOf(domainRule)).max(MOST_JOIN_DOMAINS),
  /** Most that a payroll may pay to each employee, and in all. */
  payrollLineLimit: amount,
  payrollBatchLimit: amount,
});

const rulesSeen = rules.extend({
  joinDomains: z.array(z.string()),
  payrollLineLimit: money,
  payrollBatchLimit: money,
});

export const securityRoutes = {
  adminGetSecurityRules: defineRoute({
    summary: 'Who may join, and what limits and rules of security the company has set',
    access: 'admin',
    reply: rulesSeen,
  }),
  adminUpdateSecurityRules: defineRoute({
    summary: 'Change the rules of security; refused when another admin changed them',
    access: 'admin',
    body: rules
      .extend({
        /** The rules this change was made on. */
        seen: rulesSeen,
      })
      .refine(({ joinPolicy, joinDomains }) => joinPolicy !== 'domains' || joinDomains.length > 0, {
        path: ['joinDomains'],
        error: MISSING,
      }),
    reply: rulesSeen,
    errors: ['conflict', 'amount_invalid'],
  }),
};
