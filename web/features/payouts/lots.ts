import type { PayeeGroup } from '#contract/payouts.ts';

/** Words for the two kinds of payees, with the entry class of NACHA files. */
export const PAYEES: Record<PayeeGroup, { name: string; to: string; entryClass: string }> = {
  people: { name: 'People', to: 'To people', entryClass: 'PPD' },
  businesses: { name: 'Businesses', to: 'To businesses', entryClass: 'CCD' },
};

/** Key of the lot of a payment: one effective date and one kind of payee, in the order of the batches. */
export function lotOf(payment: { effectiveOn: string; payees: PayeeGroup }): string {
  return `${payment.effectiveOn} ${payment.payees === 'people' ? 0 : 1}`;
}
