import { z } from 'zod';
import { MIN_AGE_YEARS, RETENTION_DAYS } from '../kyc.ts';
import { defineRoute } from './define.ts';

function wholeNumber(range: { least: number; most: number }, problem: string) {
  return z.number(problem).int(problem).min(range.least, problem).max(range.most, problem);
}

/** What the company has decided about identity. */
const identityRules = z.object({
  /** Age in years that an applicant has to have reached on the day of submission. */
  minAgeYears: wholeNumber(
    MIN_AGE_YEARS,
    `Enter an age from ${MIN_AGE_YEARS.least} to ${MIN_AGE_YEARS.most} years`,
  ),
  /** How long rejected, replaced or closed material is kept before it is destroyed. */
  retentionDays: wholeNumber(
    RETENTION_DAYS,
    `Enter a number of days from ${RETENTION_DAYS.least} to ${RETENTION_DAYS.most}`,
  ),
});

/** As they are: what was set otherwise than by `updateIdentityRules` need not be within its limits. */
const identityRulesSeen = z.object({
  minAgeYears: z.number().int(),
  retentionDays: z.number().int(),
});

export const identityRulesRoutes = {
  getIdentityRules: defineRoute({
    summary: 'The legal age of applicants and how long identity material is kept',
    access: 'admin',
    reply: identityRulesSeen,
  }),
  updateIdentityRules: defineRoute({
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
