export const COUNTRIES = ['US', 'CA', 'GB', 'AU', 'DE', 'FR', 'other'] as const;
type Country = (typeof COUNTRIES)[number];

/**
 * Looks of postal codes, as Google's libaddressinput has them (chromium-i18n.appspot.com/ssl-address), with
 * spaces and letter case left open. `other` is every other country: about sixty of them have no postal codes,
 * among them Hong Kong, the United Arab Emirates and Panama.
 */
const PATTERNS: Record<Country, RegExp | null> = {
  US: /^\d{5}(?:[ -]?\d{4})?$/,
  CA: /^[ABCEGHJ-NPRSTVXY]\d[ABCEGHJ-NPRSTV-Z][ -]?\d[ABCEGHJ-NPRSTV-Z]\d$/i,
  GB: /^(?:GIR ?0AA|[A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2})$/i,
  AU: /^\d{4}$/,
  DE: /^\d{5}$/,
  FR: /^\d{2} ?\d{3}$/,
  other: null,
};

/** True if every address in a country has a postal code; also while no country is chosen. */
export function needsPostalCode(country: string | undefined): boolean {
  return country !== 'other';
}

/** The problem with a postal code that is not one of its country; undefined where there is none. */
export function postalCodeProblem(
  country: string | undefined,
  postalCode: string,
): string | undefined {
  const pattern = Object.entries(PATTERNS).find(([code]) => code === country)?.[1] ?? null;
  if (pattern === null || pattern.test(postalCode.trim())) return undefined;
  return 'This is not a postal code of the chosen country';
}
