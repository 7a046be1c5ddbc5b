import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { foldCase } from '#contract/passwords.ts';
import { PASSWORD_LONG_LENGTH } from '#contract/limits.ts';

/**
 * The 100,000 commonest of ten million passwords that had leaked, one a line: those of four characters
 * and more, in small letters, sorted. Mark Burnett gathered them and released them to the public domain
 * (2015); the order by frequency is that of SecLists, "10-million-password-list-top-1000000.txt".
 */
const LIST = new URL('common-passwords.txt.gz', import.meta.url);

let known: ReadonlySet<string> | undefined;

function commonPasswords(): ReadonlySet<string> {
  known ??= new Set(gunzipSync(readFileSync(LIST)).toString('utf8').trimEnd().split('\n'));
  return known;
}

/** Words of the product, in which somebody who guesses passwords for it begins. */
const OF_PRODUCT = /^(?:purser|payroll|salary|wallet|employee|admin|pay)+$/;

/** The same few characters again and again. */
const REPEATED = /^(.{1,4})\1+$/u;

/**
 * True if a password is among the first that are guessed: a common one, whatever its case, also with
 * digits and signs before and after it (`Summer2026!`), the product's name (`Purser2026`), or a few
 * characters repeated.
 */
export function isCommonPassword(password: string): boolean {
  const folded = foldCase(password);
  if (REPEATED.test(folded) || commonPasswords().has(folded)) return true;
  const word = folded.replaceAll(/^[^\p{L}]+|[^\p{L}]+$/gu, '');
  if (OF_PRODUCT.test(word.replaceAll(/[^\p{L}]/gu, ''))) return true;
  return folded.length < PASSWORD_LONG_LENGTH && commonPasswords().has(word);
}
