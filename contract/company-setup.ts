/**
 * The guided set-up of a company that begins: its steps in their order, and the settings that each asks
 * for. Those have their words, bounds and checks in settings.ts. Free of zod.
 */
import type { SettingName } from './settings.ts';

export const SETUP_STEPS = [
  'company',
  'time',
  'payday',
  'bank',
  'joining',
  'twoFactor',
  'secondAdmin',
] as const;
export type SetupStep = (typeof SETUP_STEPS)[number];

/** Result of a step. One that was done stays done. */
export const SETUP_STEP_OUTCOMES = ['done', 'skipped'] as const;
export type SetupStepOutcome = (typeof SETUP_STEP_OUTCOMES)[number];

/** End of the set-up: all steps done or skipped, or dismissed earlier. */
export const SETUP_OUTCOMES = ['finished', 'dismissed'] as const;

/** The settings of each step. */
export const SETUP_SETTINGS: Readonly<Record<SetupStep, readonly SettingName[]>> = {
  company: ['companyName', 'legalName', 'mailingAddress', 'supportEmail'],
  time: ['currency', 'timeZone'],
  payday: ['payrollFrequency', 'payrollFirstPayday', 'payrollDays', 'payrollDay', 'paydayMoves'],
  bank: [
    'receivingBankName',
    'receivingBankAddress',
    'receivingRoutingNumber',
    'receivingAccountNumber',
  ],
  joining: ['joinPolicy', 'joinDomains'],
  twoFactor: ['requireAdminTwoFactor'],
  secondAdmin: [],
};
