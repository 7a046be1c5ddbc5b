import type { DuplicateSignal } from '#contract/kyc.ts';

/** The beginning of a hint by the data in common: "Same ID number as …". */
export const SIGNAL_WORDS: Readonly<Record<DuplicateSignal, string>> = {
  id_number: 'ID number',
  phone: 'phone number',
  address: 'address',
  image: 'image',
};
