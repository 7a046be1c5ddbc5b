import type { NameMatch } from '#contract/bank-accounts.ts';

/** Titles before or after a name, which are not part of it. */
const TITLES = new Set(
  'mr mrs ms miss mx dr prof sir dame rev hon herr frau mme mlle sr sra srta phd md esq'.split(' '),
);
/**
 * Printed in place of a name that a person with a single name does not have ("first name unknown").
 */
const PLACEHOLDERS = new Set(['fnu', 'lnu', 'nfn', 'nln']);
/** Suffixes that distinguish a parent from a child: a name with another one is another person's. */
const GENERATIONS = new Set(['jr', 'junior', 'ii', 'iii', 'iv']);

/** Letters that Unicode does not decompose, in the spelling that banks print. */
const SPELLINGS: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ı: 'i',
  // Arabic: letters that people use for each other at the end of a word; the stretching sign.
  ى: 'ي',
  ة: 'ه',
  ـ: '',
};
const RESPELLED = new RegExp(`[${Object.keys(SPELLINGS).join('')}]`, 'g');

/** Scripts without spaces: each character counts as a word. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;

/** Minimum length at which a word with one wrong letter counts as the same. */
const LEAST_LENGTH_TO_MISTYPE = 5;

/**
 * Compares the name of an account's holder with a person's. A hint for the admin who verifies and
 * who knows facts that no rule does: a maiden name, a nickname, another alphabet.
 * - `equal`: the same words in the same order, ignoring case, accents, apostrophes, hyphens, titles
 *   and `LAST, FIRST`
 * - `similar`: the same words in another order or written together, a single name written twice, an
 *   initial for a word, a word left out, one letter of a longer word mistyped
 * - `different`: anything else, also the same name in another alphabet
 */
export function compareNames(left: string, right: string): NameMatch {
  const [one, other] = [partsOf(left), partsOf(right)];
  if (one.words.length === 0 || other.words.length === 0) return 'different';
  const isOneGeneration = one.generation === other.generation;
  if (!isOneGeneration && one.generation !== '' && other.generation !== '') return 'different';
  if (isOneGeneration && one.words.join(' ') === other.words.join(' ')) return 'equal';
  return isSimilar(one.words, other.words) ? 'similar' : 'different';
}

interface Parts {
  words: string[];
  /** `jr`; empty if the name has none. */
  generation: string;
}

function partsOf(name: string): Parts {
  const words = wordsOf(inOrder(name));
  const generation = words.length > 1 ? words.findLast((word) => GENERATIONS.has(word)) : undefined;
  const kept = words.filter(
    (word) => !TITLES.has(word) && !PLACEHOLDERS.has(word) && word !== generation,
  );
  return { words: kept.length === 0 ? words : kept, generation: generationOf(generation) };
}

function generationOf(word: string | undefined): string {
  return word === 'junior' ? 'jr' : (word ?? '');
}

/**
 * `Maya Castellanos` for `CASTELLANOS, MAYA`; the text after a comma may be a title or a `Jr.`,
 * too.
 */
function inOrder(name: string): string {
  const [last = '', first = '', ...more] = name.split(/[,،、，]/);
  const isNamed = wordsOf(first).some((word) => !TITLES.has(word) && !GENERATIONS.has(word));
  return isNamed ? `${first} ${last} ${more.join(' ')}` : name;
}

function wordsOf(name: string): string[] {
  return name
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(RESPELLED, (letter) => SPELLINGS[letter] ?? letter)
    .replaceAll(/['’‘ʼ`´]/g, '')
    .split(/[^\p{L}\p{N}]+/u)
    .flatMap((word) => (UNSPACED.test(word) ? Array.from(word) : [word]))
    .filter((word) => word !== '');
}

function isSimilar(one: readonly string[], other: readonly string[]): boolean {
  if (one.join('') === other.join('')) return true;
  const [fewer, more] = one.length <= other.length ? [one, other] : [other, one];
  // A bank that needs two names writes a single one twice.
  if (fewer.length === 1 && more.every((word) => word === fewer[0])) return true;
  // For words of one character, one more character is another name.
  const mayLeaveOut = !more.some((word) => UNSPACED.test(word));
  if (fewer.length < more.length && (fewer.length === 1 || !mayLeaveOut)) return false;
  return agree(fewer, more);
}

/** True if each word of the shorter name matches one of the longer, and one of them in full. */
function agree(fewer: readonly string[], more: readonly string[]): boolean {
  const left = [...more];
  let open = [...fewer];
  let isAnyFull = false;
  // Whole words first, so that an initial does not use up a word that matches in full.
  for (const isSame of [isSameWord, isMistyped, isInitial]) {
    open = open.filter((word) => {
      const at = left.findIndex((candidate) => isSame(word, candidate));
      if (at === -1) return true;
      left.splice(at, 1);
      isAnyFull ||= isSame === isSameWord && (word.length > 1 || UNSPACED.test(word));
      return false;
    });
  }
  return isAnyFull && open.length === 0;
}

function isSameWord(one: string, other: string): boolean {
  return one === other;
}

function isInitial(one: string, other: string): boolean {
  const [short, long] = one.length <= other.length ? [one, other] : [other, one];
  return short.length === 1 && long.startsWith(short);
}

/** True for one extra, missing or different letter, or two neighbours swapped. */
function isMistyped(one: string, other: string): boolean {
  const [short, long] = one.length <= other.length ? [one, other] : [other, one];
  if (short.length < LEAST_LENGTH_TO_MISTYPE || long.length - short.length > 1) return false;
  let at = 0;
  while (at < short.length && short[at] === long[at]) at += 1;
  if (long.length > short.length) return short.slice(at) === long.slice(at + 1);
  const isReplaced = short.slice(at + 1) === long.slice(at + 1);
  const isSwapped =
    short[at] === long[at + 1] &&
    short[at + 1] === long[at] &&
    short.slice(at + 2) === long.slice(at + 2);
  return isReplaced || isSwapped;
}
