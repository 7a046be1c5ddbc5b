/**
 * What a typed text has to be, written once: the forms check by it, and the operations' schemas are
 * made from it (routes/common.ts), so that both refuse the same with the same words. Free of zod.
 */
import { MAX_AMOUNT_MINOR, parseAmount } from './money.ts';

/** What is said where nothing was given, unless a field has words of its own. */
export const MISSING = 'Please fill in all required fields';

/** The rule of one field of text. */
export interface TextRule {
  /** The text as it is kept: trimmed; of a number that papers print in groups, its digits. */
  readonly clean: (typed: string) => string;
  readonly maxLength: number;
  /** What is wrong with a cleaned text; undefined where nothing is. */
  readonly problem: (text: string) => string | undefined;
}

function tooLong(maxLength: number): string {
  return `Use at most ${maxLength} characters`;
}

function trim(typed: string): string {
  return typed.trim();
}

function ruleOf(
  maxLength: number,
  missing: string,
  pattern: RegExp,
  patternProblem: string,
): TextRule {
  return {
    clean: trim,
    maxLength,
    problem: (text) => {
      if (text === '') return missing;
      if (text.length > maxLength) return tooLong(maxLength);
      return pattern.test(text) ? undefined : patternProblem;
    },
  };
}

/**
 * What no text that a person types needs, and what makes one look like another: control characters (of
 * which several lines have tab and line feed), separators of lines that editors do not show, characters
 * without width, and marks that turn the direction of what follows (Unicode TR 36, 2.5). The joiners
 * U+200C and U+200D stay: names in Persian and Hindi are written with them.
 */
const UNSEEN = String.raw`\u007f-\u009f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb`;
const LINE = new RegExp(String.raw`^[^\u0000-\u001f${UNSEEN}]*$`);
const PARAGRAPH = new RegExp(String.raw`^[^\u0000-\u0008\u000b-\u001f${UNSEEN}]*$`);

/** One line of text, without what cannot be seen. */
export function line(maxLength: number, missing: string = MISSING): TextRule {
  return ruleOf(maxLength, missing, LINE, 'Use plain text on one line');
}

/** Text of several lines. */
export function paragraph(maxLength: number, missing: string = MISSING): TextRule {
  return ruleOf(maxLength, missing, PARAGRAPH, 'Use plain text');
}

/** A line that besides looks like something. */
export function formatted(
  maxLength: number,
  { pattern, problem }: { pattern: RegExp; problem: string },
): TextRule {
  const plain = line(maxLength);
  return {
    ...plain,
    problem: (text) => plain.problem(text) ?? (pattern.test(text) ? undefined : problem),
  };
}

/** A number that people copy with the spaces and dashes that papers print in it. */
export function printedNumber(
  maxLength: number,
  isRight: (digits: string) => boolean,
  problem: string,
  missing: string = MISSING,
): TextRule {
  return {
    clean: (typed) => typed.replaceAll(/[\s-]/g, ''),
    maxLength,
    problem: (text) => {
      if (text === '') return missing;
      return isRight(text) ? undefined : problem;
    },
  };
}

/** What is wrong with a text as it was typed. */
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
  const number = /^\s*\d{1,9}\s*$/.test(typed) ? Number(typed) : Number.NaN;
  return number >= least && number <= most ? number : null;
}

export const AMOUNT_PROBLEM = 'Please enter a valid amount';

/** An amount above zero that one request may name, in minor units; null for anything else. */
export function readAmount(typed: string): bigint | null {
  const minor = parseAmount(typed);
  return minor === null || minor <= 0n || minor > MAX_AMOUNT_MINOR ? null : minor;
}
