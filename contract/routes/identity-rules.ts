import { z } from 'zod';
import { MIN_AGE_YEARS, RETENTION_DAYS } from '../kyc.ts';
import { numberOf } from './common.ts';
import { defineRoute } from './define.ts';

/** What the company has decided about identity. */
const identityRules = z.object({
  /** Age in years that an applicant has to have reached on the day of submission. */
  minAgeYears: numberOf(MIN_AGE_YEARS),
  /** How long rejected, replaced or closed material is kept before it is destroyed. */
  retentionDays: numberOf(RETENTION_DAYS),
});

/** As they are: what was set otherwise than by `adminUpdateIdentityRules` need not be within its limits. */
const identityRulesSeen = z.object({
  minAgeYears: z.number().int(),
  retentionDays: z.number().int(),
});

export const identityRulesRoutes = {
  adminGetIdentityRules: defineRoute({
    summary: 'The legal age of applicants and how long identity material is kept',
    access: 'admin',
    reply: identityRulesSeen,
  }),
  adminUpdateIdentityRules: defineRoute({
    summary: 'Change the legal age or the retention; refused when another admin changed them',
    access: 'admin',
    body: identityRules.extend({
      /** The rules this change was made on. */
      seen: identityRulesSeen,
    }),
    reply: identityRulesSeen,
    errors: ['conflict'],
  }),
};
