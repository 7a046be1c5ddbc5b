import type { DuplicateSignal } from '#contract/kyc.ts';

/** What is in common: "Same ID number as …". */
export const SIGNAL_WORDS: Readonly<Record<DuplicateSignal, string>> = {
  id_number: 'ID number',
  phone: 'phone number',
  address: 'address',
  image: 'image',
};
