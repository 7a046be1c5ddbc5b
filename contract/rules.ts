/**
 * Rules of typed text, written once: the forms check by them, and the operations' schemas are
 * made from it (routes/common.ts), so that both refuse the same with the same words. Free of zod.
 */
import { MAX_AMOUNT_MINOR, parseAmount, type Currency } from './money.ts';
import {
  controlIn,
  lineBreakerIn,
  lineText,
  nameText,
  numberText,
  paragraphBreakerIn,
  removeWords,
  strangerIn,
  withoutEnds,
} from './typed.ts';

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
    ...{ clean: lineText, missing, breakerIn: lineBreakerIn },
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
    ...{ clean: withoutEnds, missing, breakerIn: paragraphBreakerIn },
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

export const AMOUNT_PROBLEM = 'Please enter a valid amount';

/**
 * An amount above zero that one request may name, in minor units; null for anything else. {@link parseAmount} has
 * the rule.
 *
 * @param currency of the field, undefined while it is not known
 */
export function readAmount(typed: string, currency: Currency | undefined): bigint | null {
  const minor = parseAmount(typed, currency);
  return minor === null || minor <= 0n || minor > MAX_AMOUNT_MINOR ? null : minor;
}
