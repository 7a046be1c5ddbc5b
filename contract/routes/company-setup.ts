import { z } from 'zod';
import { namedEnum, namedObject } from '../schema-names.ts';
import { SETUP_OUTCOMES, SETUP_STEP_OUTCOMES, SETUP_STEPS } from '../company-setup.ts';
import { done } from './common.ts';
import { defineRoute } from './define.ts';

const reply = namedObject('Setup', {
  /** Null while it is open. */
  outcome: namedEnum('SetupEnd', SETUP_OUTCOMES).nullable(),
  /** The admin who ended it; null while it is open, and for Purser itself. */
  endedBy: z.string().nullable(),
  /** All steps, in their order. */
  steps: z.array(
    z.object({
      step: namedEnum('SetupStep', SETUP_STEPS),
      /** Null while nobody decided it. */
      outcome: namedEnum('StepOutcome', SETUP_STEP_OUTCOMES).nullable(),
      /** The admin who did or skipped it. */
      by: z.string().nullable(),
    }),
  ),
});

export const companySetupRoutes = {
  adminGetSetup: defineRoute('GET /api/admin/company-setup', {
    summary: 'How far the guided set-up of the company is, which all admins share',
    access: 'admin',
    topics: ['settings'],
    reply,
  }),
  adminDecideSetupStep: defineRoute('POST /api/admin/company-setup/steps', {
    summary:
      'Say that a step of the set-up is done or skipped; the last one finishes the set-up. What a step asks for is saved by adminUpdateSettings',
    access: 'admin',
    changes: {},
    mayChange: { admins: ['settings'] },
    body: z.object({ step: z.enum(SETUP_STEPS), outcome: z.enum(SETUP_STEP_OUTCOMES) }),
    reply,
    errors: ['setup_ended'],
  }),
  adminDismissSetup: defineRoute('POST /api/admin/company-setup/dismiss', {
    summary: 'End the set-up for all admins; the settings stay as they are',
    access: 'admin',
    changes: { admins: ['settings'] },
    reply,
    errors: ['setup_ended'],
  }),
  adminSkipTwoFactor: defineRoute('POST /api/admin/company-setup/skip-two-factor', {
    summary:
      'Go on without the two-factor that a new company requires; open to the only admin of a company that is not in production',
    access: 'admin',
    confirms: 'recent',
    isBeforeTwoFactor: true,
    changes: {},
    mayChange: { admins: ['settings'] },
    reply: done,
    errors: ['two_factor_required'],
  }),
};
