import type { COUNTRIES } from '#contract/postal-codes.ts';

interface CountryHint {
  state: string;
  postalCode: string;
}

const HINTS: Record<(typeof COUNTRIES)[number], CountryHint> = {
  US: { state: 'Two letters, such as WA', postalCode: 'ZIP code, such as 98103' },
  CA: { state: 'Province, such as ON', postalCode: 'Such as K1A 0B1' },
  GB: { state: 'County or nation, such as Kent', postalCode: 'Postcode, such as SW1A 1AA' },
  AU: { state: 'Such as NSW', postalCode: 'Four digits, such as 2000' },
  DE: { state: 'Bundesland, such as Hessen', postalCode: 'Five digits, such as 60311' },
  FR: { state: 'Région, such as Bretagne', postalCode: 'Five digits, such as 35000' },
  other: { state: 'State, province or region', postalCode: 'Leave empty if your country has none' },
};

/** Examples of a state and a postal code in that country; general ones while none is chosen. */
export function countryHint(country: string): CountryHint {
  return Object.entries(HINTS).find(([code]) => code === country)?.[1] ?? HINTS.other;
}
