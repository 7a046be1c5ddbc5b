import { line } from './rules.ts';

/**
 * Limits of one payment to a colleague, and of the sum one person may pay colleagues on one day of
 * the company, in minor units (docs/rules.md, "Payments"). A payment cannot be undone, so what a
 * stolen session or a typing error can do with it is bounded.
 */
export const PERSON_PAYMENT_LIMITS = { mostMinor: 500_000n, dailyMinor: 1_000_000n } as const;

export const paymentRules = {
  /** The payer's words to the recipient; may be empty. */
  note: line(140),
};
