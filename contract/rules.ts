/**
 * Rules of typed text, written once: the forms check by them, and the operations' schemas are
 * made from it (routes/values.ts), so that both refuse the same with the same words. Free of zod.
 */

/** Message for an empty field, unless the field has its own. */
export const MISSING = 'Please fill in all required fields';

/** The rule of one field of text. */
export interface TextRule {
  /** The text as it is kept: trimmed; of a number that papers print in groups, its digits. */
  readonly clean: (typed: string) => string;
  readonly maxLength: number;
  /** Error of a cleaned text. Undefined if it is valid. */
  readonly problem: (text: string) => string | undefined;
}

function tooLong(maxLength: number): string {
  return `Use at most ${maxLength} characters`;
}

/**
 * Error of any text that a request has, whatever its field: control characters, and halves of letters. Passwords,
 * searches and names of files are held to it, too. Undefined if it is valid.
 */
export function plainTextProblem(text: string): string | undefined {
  const control = controlIn(text);
  if (control !== undefined) return `Use plain text. ${removeWords(control)}`;
  return text.isWellFormed() ? undefined : 'Use plain text';
}

/** One line of text, without what cannot be seen. */
export function line(maxLength: number, missing: string = MISSING): TextRule {
  return plainText(maxLength, {
    clean: lineText,
    missing,
    breakerIn: lineBreakerIn,
    problem: 'Use plain text on one line',
  });
}

/** A name of a person: a line with plain hyphens and one space between its words. */
export function nameLine(maxLength: number, missing: string = MISSING): TextRule {
  return { ...line(maxLength, missing), clean: nameText };
}

/** Text of several lines. */
export function paragraph(maxLength: number, missing: string = MISSING): TextRule {
  return plainText(maxLength, {
    clean: withoutEnds,
    missing,
    breakerIn: paragraphBreakerIn,
    problem: 'Use plain text',
  });
}

function plainText(
  maxLength: number,
  {
    clean,
    missing,
    breakerIn,
    problem,
  }: Pick<TextRule, 'clean'> & {
    missing: string;
    breakerIn: (text: string) => string | undefined;
    problem: string;
  },
): TextRule {
  return {
    clean,
    maxLength,
    problem: (text) => {
      if (text === '') return missing;
      if (text.length > maxLength) return tooLong(maxLength);
      const breaker = breakerIn(text);
      return breaker === undefined ? undefined : `${problem}. ${removeWords(breaker)}`;
    },
  };
}

interface Format {
  pattern: RegExp;
  problem: string;
  /** One character that the text may have. A number or a code says which other one it has. */
  allowed?: RegExp;
}

/** A line that besides looks like something. With `allowed` it is a number or a code, cleaned like one. */
export function formatted(maxLength: number, { pattern, problem, allowed }: Format): TextRule {
  const plain = line(maxLength);
  return {
    ...plain,
    ...(allowed !== undefined && { clean: numberText }),
    problem: (text) => {
      const general = plain.problem(text);
      if (general !== undefined || pattern.test(text)) return general;
      return withStranger(problem, text, allowed);
    },
  };
}

/** Reason of a refusal, with the character that is refused where it is one. */
function withStranger(problem: string, text: string, allowed: RegExp | undefined): string {
  const stranger = allowed === undefined ? undefined : strangerIn(text, allowed);
  return stranger === undefined ? problem : `${problem}. ${removeWords(stranger)}`;
}

/** A number that people copy with the spaces and dashes that papers print in it. */
export function printedNumber(
  maxLength: number,
  isRight: (digits: string) => boolean,
  problem: string,
  missing: string = MISSING,
): TextRule {
  return {
    clean: (typed) => numberText(typed).replaceAll(/[\s-]/g, ''),
    maxLength,
    problem: (text) => {
      if (text === '') return missing;
      return isRight(text) ? undefined : withStranger(problem, text, /\d/);
    },
  };
}

/** Error of a text as typed. Undefined if it is valid. */
export function problemOf(rule: TextRule, typed: string): string | undefined {
  return rule.problem(rule.clean(typed));
}

/** The same, of a field that may be left empty. */
export function problemUnlessEmpty(rule: TextRule, typed: string): string | undefined {
  return rule.clean(typed) === '' ? undefined : problemOf(rule, typed);
}

/** The rule of a whole number within a range. */
export interface NumberRule {
  readonly least: number;
  readonly most: number;
  readonly problem: string;
}

/** A whole number within the rule's range as it was typed; null for anything else. */
export function readNumber({ least, most }: NumberRule, typed: string): number | null {
  const number = /^\d{1,9}$/.test(numberText(typed)) ? Number(numberText(typed)) : Number.NaN;
  return number >= least && number <= most ? number : null;
}

/*
 * Characters that people copy into a field together with a text: marks of direction, characters without width,
 * other kinds of spaces and dashes. Every text that a person types is cleaned by these functions.
 */

/**
 * Characters that are not seen and that no text needs: characters without width, and marks that turn the
 * direction of what follows (Unicode TR 36, 2.5). The joiners U+200C and U+200D are not among them, because
 * names in Persian and Hindi are written with them.
 */
const UNSEEN_CLASS = String.raw`\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb`;
/** Unseen characters that are refused besides: control characters, and separators of lines. */
const CONTROL_CLASS = String.raw`\u007f-\u009f\u2028\u2029`;

const UNSEEN = new RegExp(`[${UNSEEN_CLASS}]|\u200c|\u200d`, 'g');
const END = new RegExp(`[\\s${UNSEEN_CLASS}]|\u200c|\u200d`);
const SPACES = /[\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]/g;
const DASHES = /[\u2010-\u2015\u2043\u2212\ufe58\ufe63\uff0d]/g;

const LINE_BREAKERS = new RegExp(String.raw`[\u0000-\u001f${CONTROL_CLASS}${UNSEEN_CLASS}]`);
const PARAGRAPH_BREAKERS = new RegExp(
  String.raw`[\u0000-\u0008\u000b-\u001f${CONTROL_CLASS}${UNSEEN_CLASS}]`,
);

/** Control characters other than a tab and the ends of lines: a terminal obeys them, and no text needs them. */
const CONTROLS = new RegExp(String.raw`[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]`);

/** A text without spaces and unseen characters at its ends. */
export function withoutEnds(typed: string): string {
  let [start, end] = [0, typed.length];
  while (start < end && END.test(typed.charAt(start))) start += 1;
  while (end > start && END.test(typed.charAt(end - 1))) end -= 1;
  return typed.slice(start, end);
}

/** A text on one line in Unicode's normal form C: spaces of every kind are plain ones. */
export function lineText(typed: string): string {
  return withoutEnds(typed).replaceAll(SPACES, ' ').normalize('NFC');
}

/** A name: as {@link lineText}, with plain hyphens and one space between its words. */
export function nameText(typed: string): string {
  return lineText(typed).replaceAll(DASHES, '-').replaceAll(/ +/g, ' ');
}

/**
 * A number or a code as papers print it: nothing unseen anywhere, plain spaces and hyphens. Groups stay as
 * they are.
 */
export function numberText(typed: string): string {
  return typed.replaceAll(UNSEEN, '').replaceAll(SPACES, ' ').replaceAll(DASHES, '-').trim();
}

/** The first character that a line may not have; undefined where all are fine. */
export function lineBreakerIn(text: string): string | undefined {
  return LINE_BREAKERS.exec(text)?.[0];
}

/** The same for a text of several lines. */
export function paragraphBreakerIn(text: string): string | undefined {
  return PARAGRAPH_BREAKERS.exec(text)?.[0];
}

/** The first control character that no text may have, of whatever field. */
export function controlIn(text: string): string | undefined {
  return CONTROLS.exec(text)?.[0];
}

/** The first character of a text that is none of `allowed`, a pattern of one character. */
export function strangerIn(text: string, allowed: RegExp): string | undefined {
  return Array.from(text).find((character) => !allowed.test(character));
}

/** "Remove the line break." or "Remove \u201c#\u201d.", or for what is not seen "Remove the invisible character U+200B." */
export function removeWords(character: string): string {
  if (character === '\n' || character === '\r') return 'Remove the line break.';
  if (character === '\t') return 'Remove the tab.';
  const isSeen = lineBreakerIn(character) === undefined && !/[\s\u200c\u200d]/.test(character);
  if (isSeen) return `Remove \u201c${character}\u201d.`;
  const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
  return `Remove the invisible character U+${code}.`;
}
