import { money } from '#contract/money.ts';
import type { Company } from '#web/lib/company.ts';

/** The person whose money and days are drawn. */
export const SPECIMEN_COMPANY: Company = {
  name: 'Tallis & Reed, Inc.',
  currency: 'USD',
  timeZone: 'America/New_York',
};

/** An amount to draw. */
export function specimen(minor: bigint) {
  return money(minor, 'USD');
}
