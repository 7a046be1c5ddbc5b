/**
 * Length of the IBANs of each country (SWIFT, IBAN Registry, release 99; ISO 13616). Countries of SEPA are listed apart:
 * a payment in euros reaches their accounts by the IBAN alone (European Payments Council, EPC409-09).
 */
const SEPA_LENGTHS: Readonly<Record<string, number>> = {
  AD: 24,
  AL: 28,
  AT: 20,
  BE: 16,
  BG: 22,
  CH: 21,
  CY: 28,
  CZ: 24,
  DE: 22,
  DK: 18,
  EE: 20,
  ES: 24,
  FI: 18,
  FR: 27,
  GB: 22,
  GI: 23,
  GR: 27,
  HR: 21,
  HU: 28,
  IE: 22,
  IS: 26,
  IT: 27,
  LI: 21,
  LT: 20,
  LU: 20,
  LV: 21,
  MC: 27,
  MD: 24,
  ME: 22,
  MK: 19,
  MT: 31,
  NL: 18,
  NO: 15,
  PL: 28,
  PT: 25,
  RO: 24,
  RS: 22,
  SE: 24,
  SI: 19,
  SK: 24,
  SM: 27,
  VA: 22,
};
const OTHER_LENGTHS: Readonly<Record<string, number>> = {
  AE: 23,
  AZ: 28,
  BA: 20,
  BH: 22,
  BI: 27,
  BR: 29,
  BY: 28,
  CR: 22,
  DJ: 27,
  DO: 28,
  EG: 29,
  FK: 18,
  FO: 18,
  GE: 22,
  GL: 18,
  GT: 28,
  HN: 28,
  IL: 23,
  IQ: 23,
  JO: 30,
  KW: 30,
  KZ: 20,
  LB: 28,
  LC: 32,
  LY: 25,
  MN: 20,
  MR: 27,
  MU: 30,
  NI: 28,
  OM: 23,
  PK: 24,
  PS: 29,
  QA: 29,
  RU: 33,
  SA: 24,
  SC: 31,
  SD: 18,
  SO: 23,
  ST: 25,
  SV: 28,
  TL: 23,
  TN: 24,
  TR: 26,
  UA: 29,
  VG: 24,
  XK: 20,
  YE: 30,
};
const LENGTHS: Readonly<Record<string, number>> = { ...SEPA_LENGTHS, ...OTHER_LENGTHS };

/** Most characters of an IBAN (ISO 13616). */
export const IBAN_MAX_LENGTH = 34;

/** Fault of an IBAN without spaces, in words without a full stop; undefined if it is right. */
export function ibanProblem(text: string): string | undefined {
  if (!/^[A-Z]{2}\d{2}[A-Z0-9]*$/.test(text)) {
    return 'An IBAN begins with two letters for its country and two digits';
  }
  const country = text.slice(0, 2);
  const length = LENGTHS[country];
  if (length === undefined) return `No IBAN begins with ${country}`;
  if (text.length !== length) {
    return `An IBAN that begins with ${country} has ${length} characters, and this one has ${text.length}`;
  }
  return hasRightCheckDigits(text) ? undefined : 'The check digits of this IBAN are wrong';
}

/** True for a right IBAN of a country that payments in euros reach by the IBAN alone. */
export function isOfSepa(iban: string): boolean {
  return iban.slice(0, 2) in SEPA_LENGTHS;
}

/**
 * True if the check digits are right: moved to its end, with letters as 10 to 35, the first four characters make a number
 * that leaves 1 when divided by 97 (ISO 7064, MOD 97-10). They are 02 to 98: another pair with the same remainder is wrong.
 */
function hasRightCheckDigits(iban: string): boolean {
  const check = Number(iban.slice(2, 4));
  const moved = iban.slice(4) + iban.slice(0, 4);
  const digits = moved.replaceAll(/[A-Z]/g, (letter) => String(letter.charCodeAt(0) - 55));
  return check >= 2 && check <= 98 && BigInt(digits) % 97n === 1n;
}
