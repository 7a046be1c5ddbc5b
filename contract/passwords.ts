import { plainTextProblem } from './rules.ts';
import { PASSWORD_LONG_LENGTH, PASSWORD_MIN_LENGTH, PASSWORD_MIN_STRENGTH } from './limits.ts';

/** Rules that make a password stronger, one point each. */
export const PASSWORD_RULES = [
  { id: 'length', label: '8 characters', test: (p: string) => p.length >= PASSWORD_MIN_LENGTH },
  { id: 'upper', label: 'Uppercase letter', test: (p: string) => /\p{Lu}/u.test(p) },
  { id: 'lower', label: 'Lowercase letter', test: (p: string) => /\p{Ll}/u.test(p) },
  { id: 'digit', label: 'Number', test: (p: string) => /\d/.test(p) },
  { id: 'symbol', label: 'Symbol', test: (p: string) => /[^\p{L}\p{N}\s]/u.test(p) },
] as const;

export type PasswordLabel = 'Weak' | 'Medium' | 'Strong';

/** The least score that is called Strong. */
const STRONG = 4;

/**
 * 0 to 5. Weak at 2 or less, Medium at 3, Strong above. One of PASSWORD_LONG_LENGTH characters is Strong
 * whatever they are.
 */
export function passwordStrength(password: string): { score: number; label: PasswordLabel } {
  const points = PASSWORD_RULES.filter((rule) => rule.test(password)).length;
  const score = password.length >= PASSWORD_LONG_LENGTH ? Math.max(points, STRONG) : points;
  if (score <= 2) return { score, label: 'Weak' };
  return { score, label: score >= STRONG ? 'Strong' : 'Medium' };
}

/** Fault of a password that a person chooses, as far as the password alone shows it. */
export function newPasswordProblem(password: string): string | undefined {
  if (password.length < PASSWORD_MIN_LENGTH) return 'Password must be at least 8 characters long.';
  if (passwordStrength(password).score < PASSWORD_MIN_STRENGTH) return 'Choose a stronger password';
  return plainTextProblem(password);
}

/** Fault of a new password that is the present one, in whatever form a keyboard writes its letters. */
export function samePasswordProblem(password: string, present: string): string | undefined {
  return password !== '' && password.normalize('NFKC') === present.normalize('NFKC')
    ? SAME_PASSWORD
    : undefined;
}

/** Message for a new password that the person has already. */
export const SAME_PASSWORD = 'This is your present password. Choose another.';

/** Data about the owner of a password that other people may know. */
export interface PasswordOwner {
  firstName: string;
  lastName: string;
  email: string;
  companyName: string;
}

/** Words of so many letters are found inside others, shorter ones only where they stand alone. */
const FOUND_INSIDE_LENGTH = 4;

/**
 * Fault of a password that has the name of its owner or their company in it, or the first part
 * of their address. Case, accents and punctuation make no difference. (NIST SP 800-63B-4, 3.1.1.2:
 * "context-specific words".)
 */
export function ownWordProblem(password: string, owner: PasswordOwner): string | undefined {
  const folded = foldCase(password);
  const squeezed = squeeze(folded);
  // `3M2026` is a name with a year as `Tal2026` is.
  const alone = [...folded.split(/[^\p{L}]+/u), squeezed.replace(/\d{1,4}$/, '')];
  const word = wordsOf(owner).find((own) =>
    own.length < FOUND_INSIDE_LENGTH ? alone.includes(own) : squeezed.includes(own),
  );
  return word && `Choose a password without "${word}", which is easy to guess`;
}

function wordsOf({ firstName, lastName, email, companyName }: PasswordOwner): string[] {
  const company = foldCase(companyName);
  const person = [firstName, lastName].map(foldCase);
  const [localPart = ''] = foldCase(email).split('@');
  return [
    ...person.flatMap(partsOf).filter((part) => part.length > 1),
    // Short parts of a company's name are `my`, `and`, `Ltd`.
    ...partsOf(company).filter((part) => part.length >= FOUND_INSIDE_LENGTH),
    ...[...person, company, localPart].map(squeeze).filter((word) => word.length > 1),
  ];
}

function partsOf(name: string): string[] {
  return name.split(/[^\p{L}\p{N}]+/u);
}

/** Small letters without accents: `Zoë` is `zoe`. */
export function foldCase(text: string): string {
  return text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase();
}

/** Letters and digits alone. */
function squeeze(text: string): string {
  return text.replaceAll(/[^\p{L}\p{N}]/gu, '');
}
