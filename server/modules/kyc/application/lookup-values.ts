import type { StoredAnswers } from './answers.ts';

/**
 * What equal values are found by, brought into one form before it is hashed, so that spaces, case
 * and punctuation make no two of one. Null where the answer is missing or holds nothing to compare.
 */
export function idNumberValue({ idNumber }: StoredAnswers): string | null {
  return lettersAndDigits(idNumber);
}

/** Digits alone; a US number with its country code is the same as without. */
export function phoneValue({ phoneNumber }: StoredAnswers): string | null {
  const digits = phoneNumber?.replaceAll(/\D/g, '') ?? '';
  if (digits === '') return null;
  return digits.length === 11 && digits.startsWith('1') ? digits.slice(1) : digits;
}

/** Street, city and postal code together; one of them alone is nobody's address. */
export function addressValue(answers: StoredAnswers): string | null {
  const street = [answers.addressLine1, answers.addressLine2].join(' ');
  const parts = [street, answers.city, answers.postalCode].map(lettersAndDigits);
  return parts.includes(null) ? null : parts.join('|');
}

function lettersAndDigits(text: string | undefined): string | null {
  const kept = (text ?? '')
    .normalize('NFKC')
    .toUpperCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '');
  return kept === '' ? null : kept;
}
